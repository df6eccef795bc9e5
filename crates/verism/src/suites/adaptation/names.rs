//! Names of everything that is scored.

use super::pack::Pack;

/// A metric: its published name and its id.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) title: String,
    pub(super) id: String,
}

impl From<String> for Name {
    fn from(title: String) -> Self {
        Name { id: title.to_lowercase(), title }
    }
}

impl From<&str> for Name {
    fn from(title: &str) -> Self {
        title.to_string().into()
    }
}

/// Metrics per cell, against the baseline and per group, each in the order of the scores.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) r_h: Name,
    pub(super) r_r: Name,
    pub(super) rationality_pass: Name,
    /// Per scheme in pack order.
    pub(super) h_norm: Vec<Name>,
    pub(super) ehe: Vec<Name>,
    /// Per table scheme.
    pub(super) h_intent: Vec<Name>,
    pub(super) ehe_intent: Vec<Name>,
    pub(super) yearly: Vec<Name>,
    pub(super) workload: [Name; 3],
    pub(super) other_action: Name,
    pub(super) other_intent: Name,
    pub(super) r_r_executed: Name,
    pub(super) substitution: Name,
    pub(super) r_r_informed: Name,
    pub(super) cacr: Name,
    pub(super) cacr_chance: Name,
    /// Percentage and difference for `R_H`, `R_R` and the headline `EHE`.
    pub(super) versus: [(Name, Name); 3],
    /// Means per group in the order of table 2.
    pub(super) means: Vec<Name>,
    coherence: bool,
}

impl Names {
    pub(super) fn of(pack: &Pack) -> Names {
        let per = |form: &str| -> Vec<Name> { pack.schemes.iter().map(|s| form.replace('*', &s.id).into()).collect() };
        let table =
            |form: &str| -> Vec<Name> { pack.table_schemes().map(|(_, s)| form.replace('*', &s.id).into()).collect() };
        let headline = &pack.schemes[pack.headline].id;
        let workload = ["intervention_rows", "retry_rows", "retry_sum"];
        let mut means: Vec<Name> = ["R_H", "R_R", "rationality_pass"].map(|m| format!("{m}_mean").into()).to_vec();
        for (_, scheme) in pack.table_schemes() {
            means.extend([format!("H_norm_{}_mean", scheme.id), format!("EHE_{}_mean", scheme.id)].map(Name::from));
        }
        means.extend(workload.map(|m| Name::from(format!("{m}_mean"))));
        Names {
            r_h: "R_H".into(),
            r_r: "R_R".into(),
            rationality_pass: "rationality_pass".into(),
            h_norm: per("H_norm_*"),
            ehe: per("EHE_*"),
            h_intent: table("H_intent_norm_*"),
            ehe_intent: table("EHE_intent_*"),
            yearly: table("H_norm_*_yearly_mean"),
            workload: workload.map(Name::from),
            other_action: "other_action_share".into(),
            other_intent: "other_intent_share".into(),
            r_r_executed: "R_R_executed".into(),
            substitution: "substitution_rate".into(),
            r_r_informed: "R_R_informed".into(),
            cacr: "CACR".into(),
            cacr_chance: "CACR_chance".into(),
            versus: [
                ("pct_reduction_R_H_vs_A".into(), "delta_R_H_vs_A".into()),
                ("pct_reduction_R_R_vs_A".into(), "delta_R_R_vs_A".into()),
                ("pct_gain_EHE_vs_A".into(), format!("delta_EHE_{headline}_vs_A").into()),
            ],
            means,
            coherence: pack.coherence.is_some(),
        }
    }

    /// Ids of what is scored per cell, in the order of the scores.
    pub(super) fn per_cell(&self) -> Vec<&str> {
        let mut names = vec![&self.r_h, &self.r_r, &self.rationality_pass];
        names.extend(self.h_norm.iter().zip(&self.ehe).flat_map(|(h, e)| [h, e]));
        names.extend(self.h_intent.iter().zip(&self.ehe_intent).flat_map(|(h, e)| [h, e]));
        names.extend(&self.workload);
        names.extend([
            &self.other_action,
            &self.other_intent,
            &self.r_r_executed,
            &self.substitution,
            &self.r_r_informed,
        ]);
        names.extend(&self.yearly);
        if self.coherence {
            names.extend([&self.cacr, &self.cacr_chance]);
        }
        names.into_iter().map(|name| name.id.as_str()).collect()
    }

    /// Ids of what is scored against the baseline.
    pub(super) fn per_pair(&self) -> Vec<&str> {
        self.versus.iter().flat_map(|(percent, delta)| [percent.id.as_str(), delta.id.as_str()]).collect()
    }
}
