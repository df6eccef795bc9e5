//! The restaurant of the sample set: its menu, and twelve cases, each a persona with an order to place.

/// A dish and what can be chosen with it.
pub(super) struct Dish {
    pub(super) name: &'static str,
    /// Kinds of modifiers with their options.
    pub(super) choices: &'static [(&'static str, &'static [&'static str])],
}

const SIZE: (&str, &[&str]) = ("Size", &["Regular", "Large"]);
const SPICE: (&str, &[&str]) = ("Spice", &["Mild", "Hot"]);
const SIDE: (&str, &[&str]) = ("Side", &["Rice", "Fries", "Green Salad"]);

const fn dish(name: &'static str, choices: &'static [(&'static str, &'static [&'static str])]) -> Dish {
    Dish { name, choices }
}

pub(super) const MENU: [Dish; 12] = [
    dish("Miso Ramen", &[SIZE, ("Egg", &["Soft Egg", "No Egg"])]),
    dish("Bibimbap", &[("Protein", &["Tofu", "Beef"]), SPICE]),
    dish("Pad Thai", &[("Protein", &["Shrimp", "Tofu"]), SPICE]),
    dish("Margherita Pizza", &[SIZE, ("Crust", &["Thin Crust", "Thick Crust"])]),
    dish("Chef's Curry", &[SPICE, SIDE]),
    dish("Grilled Salmon", &[SIDE]),
    dish("Veggie Burger", &[SIDE, ("Bun", &["Sesame Bun", "Rye Bun"])]),
    dish("Tomato Soup", &[SIZE]),
    dish("Caesar Salad", &[("Dressing", &["Light Dressing", "No Dressing"])]),
    dish("Crème Brûlée", &[]),
    dish("Barley Tea", &[("Temperature", &["Iced", "Warm"])]),
    dish("Lemonade", &[SIZE]),
];

/// What a persona tends to do: `expected` in the record, unless only the biography is given there.
pub(super) struct Persona {
    pub(super) id: &'static str,
    pub(super) bio: &'static str,
    pub(super) explores: bool,
    pub(super) moods: &'static [&'static str],
    pub(super) all_at_once: bool,
    /// Whether the record says so; else the biography alone has to do.
    pub(super) stated: bool,
}

/// A line of a target order: dish, quantity, options.
pub(super) type OrderedDish = (&'static str, u32, &'static [&'static str]);

pub(super) struct Case {
    pub(super) persona: Persona,
    pub(super) target: &'static [OrderedDish],
}

const fn stated(
    id: &'static str,
    bio: &'static str,
    (explores, moods, all_at_once): (bool, &'static [&'static str], bool),
) -> Persona {
    Persona { id, bio, explores, moods, all_at_once, stated: true }
}

const fn told(id: &'static str, bio: &'static str, explores: bool, moods: &'static [&'static str]) -> Persona {
    Persona { id, bio, explores, moods, all_at_once: !explores, stated: false }
}

/// The same twelve cases are played by every experiment.
pub(super) const CASES: [Case; 12] = [
    Case {
        persona: stated("P01", "Asks about every plate before deciding.", (true, &["enthusiastic", "casual"], false)),
        target: &[("Miso Ramen", 1, &["Large", "Soft Egg"]), ("Barley Tea", 2, &["Iced"])],
    },
    Case {
        persona: stated("P02", "Has twenty minutes for lunch.", (false, &["casual", "frustrated"], true)),
        target: &[("Grilled Salmon", 1, &["Rice"]), ("Lemonade", 1, &["Regular"]), ("Tomato Soup", 1, &["Regular"])],
    },
    Case {
        persona: stated("P03", "Never sure what to take, and says so.", (true, &["confused", "casual"], false)),
        target: &[("Bibimbap", 1, &["Tofu", "Mild"]), ("Crème Brûlée", 1, &[])],
    },
    Case {
        persona: stated("P04", "Knows the menu by heart.", (false, &["casual"], true)),
        target: &[("Chef's Curry", 1, &["Hot", "Rice"]), ("Lemonade", 1, &["Large"])],
    },
    Case {
        persona: stated("P05", "Writes about food and wants the story of a dish.", (true, &["enthusiastic"], false)),
        target: &[("Pad Thai", 1, &["Shrimp", "Hot"]), ("Caesar Salad", 1, &["Light Dressing"])],
    },
    Case {
        persona: stated("P06", "Tired after a night shift.", (false, &["frustrated", "casual"], false)),
        target: &[("Veggie Burger", 1, &["Fries", "Sesame Bun"]), ("Barley Tea", 1, &["Warm"])],
    },
    // "cheerful" is in no vocabulary: the sample set is to show what becomes of such a value.
    Case {
        persona: stated("P07", "Celebrates with colleagues.", (false, &["cheerful", "enthusiastic"], true)),
        target: &[("Margherita Pizza", 2, &["Large", "Thin Crust"]), ("Lemonade", 2, &["Large"])],
    },
    Case {
        persona: stated("P08", "New in town, knows none of the dishes.", (true, &["confused", "enthusiastic"], false)),
        target: &[("Bibimbap", 1, &["Beef", "Hot"]), ("Tomato Soup", 1, &["Large"]), ("Barley Tea", 1, &["Iced"])],
    },
    Case {
        persona: stated("P09", "A regular with a fixed order.", (false, &["casual", "enthusiastic"], true)),
        target: &[("Chef's Curry", 1, &["Mild", "Fries"]), ("Crème Brûlée", 2, &[])],
    },
    Case {
        persona: told("P10", "Efficient to the minute, between two meetings.", false, &["casual", "frustrated"]),
        target: &[("Miso Ramen", 1, &["Regular", "No Egg"]), ("Lemonade", 1, &["Regular"])],
    },
    Case {
        persona: told("P11", "Out with the family, and everyone has questions.", true, &["casual", "enthusiastic"]),
        target: &[("Margherita Pizza", 1, &["Large", "Thick Crust"]), ("Veggie Burger", 2, &["Fries", "Rye Bun"])],
    },
    Case {
        persona: stated("P12", "Counts every coin and every calorie.", (true, &["casual", "frustrated"], false)),
        target: &[("Caesar Salad", 1, &["No Dressing"]), ("Tomato Soup", 1, &["Regular"])],
    },
];

/// The kind of modifier that an option of a dish belongs to, and the dish's other options of that kind.
pub(super) fn kind_of(dish: &str, option: &str) -> (&'static str, Vec<&'static str>) {
    let choices = MENU.iter().filter(|entry| entry.name == dish).flat_map(|entry| entry.choices);
    for (kind, options) in choices {
        if options.contains(&option) {
            return (kind, options.iter().copied().filter(|&other| other != option).collect());
        }
    }
    ("Extra", vec![])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_can_be_ordered_from_the_menu() {
        for (dish, quantity, options) in CASES.iter().flat_map(|case| case.target) {
            assert!(*quantity > 0 && MENU.iter().any(|entry| entry.name == *dish), "{dish}");
            assert!(options.iter().all(|option| kind_of(dish, option).0 != "Extra"), "{dish} {options:?}");
        }
    }
}
