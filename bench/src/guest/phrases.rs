//! The phrases that guests, staff and biographies are composed of.

/// Slots that are a number in `low..high`.
pub(crate) const NUMBERS: &[(&str, usize, usize)] = &[("minutes", 3, 40), ("age", 19, 79), ("people", 2, 9)];

/// Named lists of templates.
pub(crate) const LISTS: &[(&str, &[&str])] = &[
    ("casual", &["Okay.", "Sure, sounds fine.", "All right then.", "Yeah, no rush.", "Hi there."]),
    (
        "frustrated",
        &["This is taking {minutes} minutes already.", "Look, can we move on?", "I said that before.", "Seriously?"],
    ),
    (
        "confused",
        &["Hm, I'm not sure I follow.", "Wait, which one was that?", "Sorry, I lost track.", "I don't get it."],
    ),
    (
        "enthusiastic",
        &["Oh, that sounds amazing!", "Lovely, I've waited all week!", "Great, thank you so much!", "Wow!"],
    ),
    (
        "ask",
        &[
            "What comes with the {food}, and is it {taste}?",
            "Could you tell me what's in the {food}? {friend} can't have {allergen}.",
            "Is the {food} large enough for {people} people, or should we take a {food} as well?",
            "How {taste} is the {food} today, compared with the {food}?",
            "Do you have anything like the {food}, but without {allergen}?",
        ],
    ),
    (
        "pause",
        &[
            "Let me think about it for a moment; {friend} is still looking at the menu.",
            "Could you read that back to me, please?",
            "Nothing else right now, but don't close the order yet.",
            "One moment, {friend} is calling.",
        ],
    ),
    ("end", &["That's all, thank you.", "That will be everything, we have {minutes} minutes.", "I'm done, thanks."]),
    ("take", &["I'd like", "Could I get", "Then I'll have", "Please put down", "For me"]),
    (
        "greet",
        &[
            "Welcome! I'm here to take your order. What can I get started for you and your {people} guests today?",
            "Hello and welcome back! Our {food} is especially {taste} today. What would you like?",
        ],
    ),
    (
        "tell",
        &[
            "Our {food} is made fresh every morning and is rather {taste}; it contains no {allergen}. Would you like to add it?",
            "Many guests take it with {food}. The kitchen needs about {minutes} minutes for it, and it can be made without {allergen}.",
            "It's {taste}, it serves {people}, and you can choose a side and a sauce with it. Shall I put one down for you?",
            "I'd say it's more {taste} than the {food}. We can leave out the {allergen} if {friend} prefers that.",
        ],
    ),
    (
        "noted",
        &[
            "Perfect, I've added that to your order. Would you like a drink or a dessert with it, perhaps the {food}?",
            "Noted! It will take about {minutes} minutes. Anything else, such as a {taste} {food} to share?",
            "Got it, no {allergen}. Is there anything else I can get for you?",
        ],
    ),
    (
        "bye",
        &[
            "Thank you! Your order will be with you in about {minutes} minutes.",
            "Great, it's on its way. Enjoy your meal!",
        ],
    ),
    (
        "bio",
        &[
            "{name} is {age} and {job}, with {minutes} minutes to spare before the next appointment.",
            "At {age}, {name} is {job} who likes {taste} food and avoids {allergen}.",
            "{name}, {age}, is {job} and usually orders for {people} people.",
        ],
    ),
    (
        "bio_more",
        &[
            "Prefers to hear about each dish before deciding and changes the mind twice.",
            "Knows what to take, says it in one go and dislikes small talk.",
            "Gets impatient when the staff repeats a question.",
            "Asks for the story behind the {food} and takes notes.",
            "Keeps to a budget, so the price of the {food} matters more than whether it is {taste}.",
            "Brings {friend}, who has questions of their own about {allergen}.",
        ],
    ),
    (
        "job",
        &["a nurse", "an accountant", "a student", "a food writer", "a bus driver", "a teacher", "a retired sailor"],
    ),
    ("name", &["Mina Park", "Jonas Weber", "Aisha Rahman", "Luca Bianchi", "Sofía Ortega", "Tom O'Neill", "Yuki Mori"]),
    ("friend", &["my daughter", "my colleague", "my partner", "our neighbour", "my boss", "a friend"]),
    (
        "food",
        &[
            "miso ramen",
            "rice bowl",
            "house curry",
            "tofu wrap",
            "smoked burger",
            "golden pizza",
            "caesar salad",
            "soup of the day",
            "crème brûlée",
            "lemonade",
            "pad thai",
            "bibimbap",
        ],
    ),
    ("taste", &["spicy", "mild", "rich", "light", "sweet", "filling", "smoky", "crisp", "salty"]),
    ("allergen", &["peanuts", "gluten", "dairy", "shellfish", "soy", "eggs", "sesame"]),
    (
        "odd",
        &[
            "He said \"large\", I think\\so.\n\tOr not?",
            "감사합니다, 매운 걸로 주세요 \u{1f35c}",
            "Where is the emergency exit, by the way?",
            "C\u{2019}est tr\u{e8}s bon \u{2013} merci !",
            "exit row, window seat, please: just kidding.",
        ],
    ),
];
