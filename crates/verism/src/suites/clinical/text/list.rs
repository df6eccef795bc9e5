//! The lists of phrases that a text is searched for at once.

/// A class of cues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    // The order of Korean predicates in a cluster, highest first.
    Avoid,
    Limit,
    HypoCond,
    Neg,
    Continue,
    Neutral,
    Recommend,
    Benefit,
    HypoPoss,
    Claim,
    // Other cues.
    Deny,
    Example,
    Generic,
    Hypo,
    Family,
    // What evidence names beside cues.
    Target,
    Range,
    Threshold,
    Age,
    Risk,
    Praise,
    Plan,
    Word,
}

impl Class {
    pub(crate) const fn bit(self) -> u32 {
        1 << self as u32
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Avoid => "avoid",
            Class::Limit => "limit",
            Class::HypoCond => "hypo_cond",
            Class::Neg => "neg",
            Class::Continue => "continue",
            Class::Neutral => "neutral",
            Class::Recommend => "recommend",
            Class::Benefit => "benefit",
            Class::HypoPoss => "hypo_poss",
            Class::Claim => "claim",
            Class::Deny => "deny",
            Class::Example => "example",
            Class::Generic => "generic",
            Class::Hypo => "hypo",
            Class::Family => "family",
            Class::Target => "target",
            Class::Range => "range",
            Class::Threshold => "threshold",
            Class::Age => "age",
            Class::Risk => "risk",
            Class::Praise => "praise",
            Class::Plan => "plan",
            Class::Word => "word",
        }
    }

    /// The class with a name that a pack gives to a list of cues.
    pub(crate) fn of(name: &str) -> Option<Class> {
        use Class::*;
        [
            Avoid, Limit, HypoCond, Neg, Continue, Neutral, Recommend, Benefit, HypoPoss, Claim, Deny, Example,
            Generic, Hypo, Family,
        ]
        .into_iter()
        .find(|class| class.name() == name)
    }

    /// Whether a pseudo cue cancels it.
    pub(crate) fn is_negative(self) -> bool {
        NEGATIVE & self.bit() != 0
    }

    /// Whether it speaks for something.
    pub(crate) fn is_plus(self) -> bool {
        PLUS & self.bit() != 0
    }
}

/// Classes that a pseudo cue cancels.
pub(crate) const NEGATIVE: u32 = Class::Avoid.bit()
    | Class::Limit.bit()
    | Class::Deny.bit()
    | Class::Neg.bit()
    | Class::HypoCond.bit()
    | Class::HypoPoss.bit();
/// Classes that speak for something.
pub(crate) const PLUS: u32 = Class::Recommend.bit() | Class::Benefit.bit() | Class::Continue.bit();

/// A list of phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum List {
    Pseudo,
    KoPred,
    KoChain,
    KoFwd,
    KoFwdChain,
    EnFwd,
    EnBack,
    Pronoun,
    EnCut,
    EnLimit,
    EnAdjacent,
    FirstKo,
    FirstEn,
    Risk,
    Praise,
    DirectNeg,
    PredNegKo,
    PredNegEn,
    PredNegAfter,
    Plan,
    TargetBefore,
    TargetAfter,
    With,
    AgePrefix,
    AgeBarePrefix,
    AgeBareNext,
    AgeDecadeBefore,
    AgeThresholdBefore,
    AgeThresholdAfter,
    SexClaimBefore,
    Names,
    Patterns,
    Concepts,
    QuestionFlags,
    AgeThemes,
    Themes,
    Ordinals,
}

/// All lists, in their order.
pub(crate) const ALL: [List; LISTS] = [
    List::Pseudo,
    List::KoPred,
    List::KoChain,
    List::KoFwd,
    List::KoFwdChain,
    List::EnFwd,
    List::EnBack,
    List::Pronoun,
    List::EnCut,
    List::EnLimit,
    List::EnAdjacent,
    List::FirstKo,
    List::FirstEn,
    List::Risk,
    List::Praise,
    List::DirectNeg,
    List::PredNegKo,
    List::PredNegEn,
    List::PredNegAfter,
    List::Plan,
    List::TargetBefore,
    List::TargetAfter,
    List::With,
    List::AgePrefix,
    List::AgeBarePrefix,
    List::AgeBareNext,
    List::AgeDecadeBefore,
    List::AgeThresholdBefore,
    List::AgeThresholdAfter,
    List::SexClaimBefore,
    List::Names,
    List::Patterns,
    List::Concepts,
    List::QuestionFlags,
    List::AgeThemes,
    List::Themes,
    List::Ordinals,
];

/// How many lists there are.
pub(crate) const LISTS: usize = List::Ordinals as usize + 1;

/// How the hits of a list are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By start, then longest first, then place in the list.
    Start,
    /// By end, then place in the list.
    End,
    /// By place in the list, then start.
    Place,
}

impl List {
    pub(crate) fn order(self) -> Order {
        match self {
            List::AgePrefix
            | List::AgeBarePrefix
            | List::AgeDecadeBefore
            | List::AgeThresholdBefore
            | List::SexClaimBefore
            | List::KoFwdChain
            | List::TargetBefore
            | List::With
            | List::FirstEn => Order::End,
            List::EnLimit
            | List::PredNegEn
            | List::PredNegAfter
            | List::Plan
            | List::Concepts
            | List::AgeThemes
            | List::Themes
            | List::Ordinals
            | List::QuestionFlags => Order::Place,
            _ => Order::Start,
        }
    }
}
