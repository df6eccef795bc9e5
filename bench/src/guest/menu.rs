//! Dishes and their modifiers; an order is drawn from them.

use crate::random::Random;

/// Kinds of modifiers with their options.
const SIZE: Kind = ("Size", &["Small", "Regular", "Large", "Family"]);
const SPICE: Kind = ("Spice Level", &["Mild", "Medium", "Hot", "Extra Hot"]);
const PROTEIN: Kind = ("Choice of Protein", &["Tofu", "Chicken", "Beef", "Shrimp", "Pulled Pork"]);
const SIDE: Kind = ("Side", &["Steamed Rice", "Fries", "Sweet Potato", "Green Salad", "Coleslaw"]);
const SAUCE: Kind = ("Sauce", &["Garlic Aioli", "Chef's Sauce", "Soy Glaze", "No Sauce"]);
const EXTRA: Kind = ("Add-ons", &["Extra Cheese", "Soft Egg", "Kimchi", "Avocado", "Jalapeños"]);
const DRINK: Kind = ("Temperature", &["Iced", "Hot"]);

type Kind = (&'static str, &'static [&'static str]);

/// Base names; with the styles below they make about 200 dishes.
const DISHES: [(&str, &[Kind]); 16] = [
    ("Ramen", &[SIZE, PROTEIN, SPICE, EXTRA]),
    ("Rice Bowl", &[SIZE, PROTEIN, SAUCE, EXTRA]),
    ("Bibimbap", &[PROTEIN, SPICE, EXTRA]),
    ("Pad Thai", &[PROTEIN, SPICE]),
    ("Wrap", &[PROTEIN, SAUCE, SIDE]),
    ("Burger", &[SIZE, SIDE, SAUCE, EXTRA]),
    ("Pizza", &[SIZE, EXTRA]),
    ("Curry", &[PROTEIN, SPICE, SIDE]),
    ("Tacos", &[PROTEIN, SAUCE]),
    ("Caesar Salad", &[SIZE, PROTEIN]),
    ("Soup of the Day", &[SIZE]),
    ("Crème Brûlée", &[]),
    ("Cheesecake", &[]),
    ("Barley Tea", &[SIZE, DRINK]),
    ("Lemonade", &[SIZE]),
    ("비빔밥", &[PROTEIN, SPICE]),
];
const STYLES: [&str; 13] = [
    "Miso",
    "Grilled",
    "Smoked",
    "Grandma's",
    "House",
    "Vegan",
    "Seoul Street",
    "Tuscan",
    "Spicy",
    "Golden",
    "Harvest",
    "Citrus",
    "Classic",
];

/// A line of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    style: &'static str,
    dish: usize,
    pub(crate) quantity: usize,
    /// Kind and option of each modifier.
    pub(crate) modifiers: Vec<(&'static str, &'static str)>,
}

impl Line {
    /// Draws a line with most of its dish's modifiers chosen.
    pub(crate) fn draw(random: &mut Random) -> Self {
        let dish = random.below(DISHES.len());
        let chosen = DISHES[dish].1.iter().filter(|_| random.chance(750)).copied().collect::<Vec<_>>();
        Self {
            style: random.pick(&STYLES),
            dish,
            quantity: random.weighted(&[(1, 80), (2, 16), (3, 4)]),
            modifiers: chosen.iter().map(|kind| (kind.0, random.pick(kind.1))).collect(),
        }
    }

    pub(crate) fn push_name(&self, out: &mut String) {
        out.push_str(self.style);
        out.push(' ');
        out.push_str(DISHES[self.dish].0);
    }

    /// The line as a guest who slips orders it: with an option lost or mistaken.
    pub(crate) fn slipped(&self, random: &mut Random) -> Self {
        let mut line = self.clone();
        if !line.modifiers.is_empty() {
            let at = random.below(line.modifiers.len());
            let kind = line.modifiers[at].0;
            match DISHES[self.dish].1.iter().find(|known| known.0 == kind) {
                Some((_, options)) if random.chance(600) => line.modifiers[at].1 = random.pick(options),
                _ => drop(line.modifiers.remove(at)),
            }
        }
        line
    }
}
