//! The phrases that appraisals and memories are composed of.
//!
//! A first sentence carries the level (`threat_high` has a cue of a high threat and so on); the sentences after it
//! (`threat_more`, `coping_more`) hold no cue of their own, so that the level a row was made with is the level a reader
//! of the text finds.

/// Slots that are a number in `low..high`.
pub(crate) const NUMBERS: &[(&str, usize, usize)] = &[
    ("years", 2, 15),
    ("percent", 3, 97),
    ("inches", 2, 48),
    ("money", 1_200, 89_000),
    ("homes", 2, 60),
    ("blocks", 2, 12),
];

/// Named lists of templates.
pub(crate) const LISTS: &[(&str, &[&str])] = &[
    ("threat_high", THREAT_HIGH),
    ("threat_medium", THREAT_MEDIUM),
    ("threat_low", THREAT_LOW),
    ("threat_more", THREAT_MORE),
    ("coping_high", COPING_HIGH),
    ("coping_medium", COPING_MEDIUM),
    ("coping_low", COPING_LOW),
    ("coping_more", COPING_MORE),
    ("memory", MEMORY),
    ("because", BECAUSE),
    ("reason", REASON),
    ("flooding", FLOODING),
    ("home", HOME),
    ("now", NOW),
    ("people", PEOPLE),
    ("measure", MEASURE),
    ("means", MEANS),
    ("asset", ASSET),
    ("source", SOURCE),
    ("severe", &["severe", "extreme", "catastrophic", "dangerous", "severe and lasting", "extremely destructive"]),
    ("worried", &["worried", "deeply worried", "afraid", "quite afraid", "very worried", "genuinely afraid"]),
    ("low", &["low", "minimal", "rather low", "fairly low", "quite minimal", "low overall"]),
    ("medium", &["moderate", "moderate but real", "medium", "moderate for the time being", "moderate at best"]),
    ("confident", &["confident", "capable", "well prepared", "quite confident", "confident and prepared"]),
];

const THREAT_HIGH: &[&str] = &[
    "I'm {worried} that {flooding} could reach {home} {now}, because {reason}.",
    "The prospect of {severe} damage to {home} is hard to ignore {now}, since {reason}.",
    "Living here feels {severe} to me, as {reason}, and {people} say much the same.",
    "High. With {flooding} on record and {reason}, I expect trouble for {home} {now}.",
    "Threat level: High, as {reason} and {flooding} already cost us about ${money}.",
    "I rate this as H: {reason}, and {home} took {inches} inches of water.",
    "There's a high risk of {flooding} for {home} {now}, and {reason}.",
    "The threat is high {now}; {reason}, so {flooding} would hit {home} hard.",
    "Very high: {flooding} came up {inches} inches last time and {reason}.",
    "After {flooding} I remain {worried}, not least because {reason}.",
    "{severe} weather seems to be the rule {now}, and {reason}, which leaves {home} exposed.",
];

const THREAT_MEDIUM: &[&str] = &[
    "I see a {medium} threat to {home} {now}, given that {reason}.",
    "The danger to {home} seems {medium} {now}, as {reason}.",
    "Medium. We had {flooding} about {years} years ago, yet {reason}.",
    "Moderate: {reason}, although {people} did see {flooding}.",
    "Flooding is something I keep in mind {now}, because {reason} and {people} talk about it.",
    "I am not worried {now}, but {flooding} might still touch {home}, since {reason}.",
    "M, because {reason} and {home} saw {inches} inches of water {years} years ago.",
    "It's neither far away nor close: {reason}, and {flooding} happens every {years} years or so.",
    "A {medium} concern for {home}, with {percent}% of the block affected by {flooding} in the past.",
    "Having lived here for {years} years, I would call the danger {medium}, considering that {reason}.",
];

const THREAT_LOW: &[&str] = &[
    "The threat to {home} is {low} {now}, since {reason}.",
    "I consider {flooding} unlikely {now}, as {reason}.",
    "Low. There has been no {flooding} for {years} years and {reason}.",
    "Very low, because {reason} and {home} has stayed dry for {years} years.",
    "{home} feels safe enough {now}, given that {reason}.",
    "I am not worried {now}: the chance of {flooding} is {low}, and {reason}.",
    "My sense of danger is {low}, as {reason} and only {percent}% of {people} report any water.",
    "With a {low} chance of {flooding}, {home} is fine {now}; besides, {reason}.",
    "Threat: Low, as {reason} and we have not seen {flooding} in {years} years.",
    "It's unlikely that {flooding} reaches {home} {now}, seeing that {reason}.",
];

const THREAT_MORE: &[&str] = &[
    "{people} told me about {flooding}, and roughly {percent}% of them have thought about {measure}.",
    "I remember {flooding} about {years} years ago, which cost us around ${money} in repairs.",
    "{source} mentioned that {percent}% of the block has considered {measure}, and I pay attention to that.",
    "The grant for {measure} was on the table {now}, with a cap of ${money}.",
    "Our low-lying street drains within a day or so, and {people} help each other.",
    "Still, {because}, and that's on my mind.",
    "My trust in {source} has changed a little, after what {people} went through.",
    "As one neighbor put it, \"water finds a way\", and {homes} homes nearby learned that.",
    "We live {blocks} blocks from the river, so {flooding} is part of the picture.",
    "At the same time {measure} would cost about ${money}, which is a lot for {people} like us.",
];

const COPING_HIGH: &[&str] = &[
    "I feel {confident} about handling {measure} {now}, since {asset}.",
    "With {asset}, I can manage {measure} {now}, and {people} would help.",
    "High. {measure} is within reach, given that {asset}.",
    "I'm able to pay for {measure}, because {asset} and {source} offers support.",
    "We have sufficient resources for {measure} {now}, as {asset}.",
    "H, as {asset} and I have ${money} set aside for {measure}.",
    "My household is {confident}: {asset}, so {measure} seems doable {now}.",
];

const COPING_MEDIUM: &[&str] = &[
    "My ability to respond is {medium} {now}, since {asset} and {measure} costs ${money}.",
    "I could probably take on {measure} {now}, although the price of ${money} gives me pause.",
    "Medium. {measure} is thinkable, but {asset} only to a degree.",
    "Coping level: Medium, as {asset} and {source} covers {percent}% of it.",
    "A {medium} capacity, I would say, with {asset} on one side and ${money} of costs on the other.",
    "I know of {measure}, and {people} went that way for ${money}, but I have yet to decide {now}.",
    "Moderate, because {asset} while {measure} takes {years} months to arrange.",
];

const COPING_LOW: &[&str] = &[
    "I am unable to afford {measure} {now}, even though {asset}.",
    "I cannot see how to pay ${money} for {measure}, and {people} are in the same place.",
    "Low. {measure} costs ${money} {now}, and {people} say my savings are gone.",
    "There's a lack of confidence on my side, as {measure} would take ${money} that we do not have.",
    "My options are hampered by money: {measure} is ${money}, while {source} covers only {percent}%.",
    "We have insufficient resources for {measure} {now}, although {asset}.",
    "I don't feel prepared {now}, because {measure} means ${money} up front and {source} is slow.",
];

const COPING_MORE: &[&str] = &[
    "{source} would pay about {percent}% of it, if I trust what {people} say.",
    "Around {percent}% of {people} have gone for {measure}, and that's telling.",
    "The paperwork took {people} about {years} months, with {homes} forms or so.",
    "If it came to {measure}, I would start {now} and ask {source} about the terms.",
    "Last time we spent ${money} on repairs, and nobody paid us back.",
    "That's one side; {means}, and this counts for something.",
    "I'd rather wait for {source} to answer, then talk it over with {people}.",
];

const REASON: &[&str] =
    &["{because}", "{because}", "{because} and {because}", "{because}, while {because}", "{because} {now}"];

const BECAUSE: &[&str] = &[
    "the river is {blocks} blocks away",
    "the levee was raised {years} years ago",
    "the last flood left {inches} inches of mud in the basement",
    "{people} had to repair {homes} homes",
    "{percent}% of the neighbors have already acted",
    "our street stayed dry this year",
    "the storm drains were rebuilt {years} years ago",
    "{source} keeps sending notices",
    "the ground here slopes toward the creek",
    "I went through {flooding} myself",
    "the forecast speaks of {inches} inches of rain",
    "nothing has changed in the past {years} years",
    "{people} keep bringing it up",
    "the county counted {homes} claims on our side of town",
    "my memory of {flooding} is fresh",
    "the pumps at the canal handle about {percent}% of the usual runoff",
];

const FLOODING: &[&str] = &[
    "flooding",
    "another flood",
    "the flood of year {blocks}",
    "a flash flood",
    "river flooding",
    "a storm surge",
    "standing water",
    "the spring flood",
    "a flood of {inches} inches",
    "water in the basement",
];

const HOME: &[&str] = &[
    "my home",
    "our house",
    "the ground floor",
    "my property",
    "this house",
    "our basement and garage",
    "the family home",
    "our place near the creek",
    "the house we bought {years} years ago",
];

const NOW: &[&str] = &[
    "this year",
    "at the moment",
    "right now",
    "in the coming season",
    "for the next {years} months",
    "this time",
    "in the near term",
    "as things stand",
    "after the last {years} years",
];

const PEOPLE: &[&str] = &[
    "my neighbors",
    "people on our street",
    "friends nearby",
    "the families next door",
    "about {homes} households around here",
    "others in town",
    "the folks by the river",
    "my relatives",
];

const MEASURE: &[&str] = &[
    "flood insurance",
    "raising the house",
    "a policy with a ${money} deductible",
    "a move to higher ground",
    "elevating the structure",
    "better coverage",
    "lifting the ground floor by {inches} inches",
    "leaving the area",
];

const ASSET: &[&str] = &["{means}", "{means}", "{means} and {means}", "{means} {now}"];

const MEANS: &[&str] = &[
    "we have some savings left",
    "the subsidy pays {percent}% of the bill",
    "my income is steady",
    "I have ${money} in the bank",
    "{people} lent a hand before",
    "the policy paid out last time",
    "we refinanced {years} years ago",
    "the house is paid off",
    "the premium is around ${money}",
];

const SOURCE: &[&str] = &[
    "the insurance company",
    "the county",
    "the local paper",
    "the city office",
    "the government program",
    "my agent",
    "the relief fund",
    "the neighborhood group",
];

const MEMORY: &[&str] = &[
    "Year {years}: Got flooded with ${money} damage on my house.",
    "Year {years}: No flood occurred this year.",
    "I observed {percent}% of my neighbors elevated their homes.",
    "{percent}% of my neighbors have relocated, including {homes} nearby.",
    "A grant for elevation was offered but capped at ${money}.",
    "Bought flood insurance after the flood, paid ${money}.",
    "Past event: {flooding}, {inches} inches in the street.",
    "Neighbors discussed {measure} with {source}.",
    "The city warned us that the pumps fail at {inches} inches.",
    "Insurance paid {percent}% of the ${money} claim.",
];
