//! What each operation of the calculator does, what it takes, and an example that is answered as it is shown.

use super::{OPERATIONS, answer_line};

/// An operation in a sentence, with an example.
struct OperationHelp {
    name: &'static str,
    says: &'static str,
    example: &'static str,
}

const fn told(name: &'static str, says: &'static str, example: &'static str) -> OperationHelp {
    OperationHelp { name, says, example }
}

#[rustfmt::skip]
const TOLD: &[OperationHelp] = &[
    told("describe", "n, mean, sd, standard error and interval of a mean", r#"{"op":"describe","x":[0.4,0.5,0.7]}"#),
    told("proportion", "a share with Wilson's and the exact interval", r#"{"op":"proportion","k":7,"n":10}"#),
    told("welch", "Welch's t-test of two independent samples", r#"{"op":"welch","x":[1,2,3],"y":[2,4,6]}"#),
    told("student", "Student's t-test with pooled variance", r#"{"op":"student","x":[1,2,3],"y":[2,4,6]}"#),
    told("paired_t", "the t-test of paired differences", r#"{"op":"paired_t","d":[1,2,3,4]}"#),
    told("wilcoxon", "Wilcoxon's signed-rank test of paired differences", r#"{"op":"wilcoxon","d":[0,1,-1,2]}"#),
    told("mannwhitney", "Mann and Whitney's rank test of two samples", r#"{"op":"mannwhitney","x":[3,4],"y":[1,3]}"#),
    told("signflip", "the randomisation test of paired differences", r#"{"op":"signflip","d":[1,2,3,4]}"#),
    told("permutation", "the randomisation test of two samples", r#"{"op":"permutation","x":[1,2,3],"y":[2,4,6]}"#),
    told("mcnemar", "McNemar's test of paired values 0 and 1, or of discordant counts", r#"{"op":"mcnemar","b":9,"c":2}"#),
    told("effect", "standardised differences of two samples: d, g, Cliff's delta", r#"{"op":"effect","x":[1,2,3],"y":[2,4,6]}"#),
    told("effect_paired", "standardised differences of pairs: d_z, g_z", r#"{"op":"effect_paired","d":[1,2,3,4]}"#),
    told("pearson", "the linear correlation with Fisher's interval", r#"{"op":"pearson","x":[1,2,3,4],"y":[1,3,2,5]}"#),
    told("spearman", "the rank correlation with a bootstrap interval", r#"{"op":"spearman","x":[1,2,3,4],"y":[1,3,2,5]}"#),
    told("kendall", "Kendall's tau_b", r#"{"op":"kendall","x":[1,2,3,4],"y":[1,3,2,5]}"#),
    told("adjust", "p-values corrected for many tests", r#"{"op":"adjust","p":[0.01,0.04,0.03],"method":"holm"}"#),
    told("cluster_mean", "a mean of rows whose error respects clusters", r#"{"op":"cluster_mean","values":[1,2,3,4],"clusters":["a","a","b","b"]}"#),
    told("cluster_diff", "a difference of means of rows in clusters", r#"{"op":"cluster_diff","x":[1,2,3,4],"x_clusters":["a","a","b","b"],"y":[2,3,4,6],"y_clusters":["c","c","d","d"]}"#),
    told("anova", "the analysis of variance of several groups", r#"{"op":"anova","groups":[[1,2,3],[2,4,6],[1,1,2]]}"#),
    told("kruskal", "Kruskal and Wallis's rank test of several groups", r#"{"op":"kruskal","groups":[[1,2,3],[2,4,6],[1,1,2]]}"#),
    told("friedman", "Friedman's rank test of several groups over the same blocks", r#"{"op":"friedman","groups":[[1,2,3],[2,4,6],[1,1,2]]}"#),
    told("icc", "the intraclass correlation of groups", r#"{"op":"icc","groups":[[1,2],[2,4],[5,6]]}"#),
    told("noise", "how far repeated runs of the same cases differ", r#"{"op":"noise","cells":[["A","1",0.4],["A","2",0.6],["B","1",0.5],["B","2",0.7]]}"#),
    told("power", "the power of a t-test", r#"{"op":"power","design":"paired","effect_d":0.5,"n":20}"#),
    told("mde", "the difference that a t-test finds with a power", r#"{"op":"mde","design":"paired","n":20,"sd":0.1}"#),
    told("required_n", "the units that a t-test needs to find an effect", r#"{"op":"required_n","design":"paired","effect_d":0.5}"#),
    told("tost", "the test of equivalence within a margin", r#"{"op":"tost","delta":0.1,"diff":0.01,"se":0.03,"df":19}"#),
    told("verdict", "better, worse or inconclusive, and whether it matters", r#"{"op":"verdict","diff":0.02,"lo":0.01,"hi":0.03,"p_adj":0.001,"sesoi":0.05}"#),
    told("bootstrap", "a bootstrap interval of a mean, a difference or a correlation", r#"{"op":"bootstrap","x":[1,2,3,4],"stat":"mean","resamples":999}"#),
    told("rng", "four words of the generator", r#"{"op":"rng","key":[0,0],"counter":[0,0,0,0]}"#),
    told("rng_indices", "the indices of a resample", r#"{"op":"rng_indices","seed":12345,"domain":1,"resample":0,"stream":0,"n":7,"count":10}"#),
    told("rng_signs", "the signs of a resample of sign flips", r#"{"op":"rng_signs","seed":12345,"resample":3,"n":8}"#),
    told("rng_shuffle", "the order of a shuffle", r#"{"op":"rng_shuffle","seed":12345,"domain":3,"resample":0,"n":10}"#),
    told("dist", "a distribution function: t_sf, t_two_sided, norm_sf, chi2_sf, f_sf, t_isf, nct_cdf, …", r#"{"op":"dist","fn":"t_two_sided","t":2.1,"df":9}"#),
];

/// What an argument means, whichever operation takes it.
const ARGUMENTS: &[(&str, &str)] = &[
    ("x", "the first sample: numbers, null where one is missing (dist: where the function is taken)"),
    ("y", "the second sample, or the partners of x"),
    ("d", "differences of pairs, instead of x and y"),
    ("alpha", "level of the test, 0.05; intervals cover one minus it"),
    ("ci", "interval: t or z196 (spearman: percentile or bca)"),
    ("ddof", "1 or 0: what is taken off n in a standard deviation"),
    ("d_sd", "pooled or average: what Cohen's d is divided by"),
    ("k", "successes"),
    ("n", "how many: trials, pairs, units, values"),
    ("n_x", "units of the first sample"),
    ("n_y", "units of the second sample"),
    ("zero", "wilcox (drop zero differences) or pratt (rank them)"),
    ("exact", "auto, always or never"),
    ("resamples", "resamples, 9999"),
    ("seed", "seed of the generator, 12345"),
    ("first", "x or y: which sample comes first in the pool"),
    ("b", "pairs where only x is 1"),
    ("c", "pairs where only y is 1"),
    ("boot", "false: no bootstrap interval"),
    ("p", "p-values, above 0"),
    ("log10_p", "their decimal logarithms, for those too small to be numbers"),
    ("method", "adjust: holm, bh, bonferroni or none; bootstrap: percentile or bca"),
    ("values", "one number for each row"),
    ("clusters", "the cluster of each row"),
    ("x_clusters", "the cluster of each row of x"),
    ("y_clusters", "the cluster of each row of y"),
    ("crossed", "true: clusters of the same name are the same on both sides"),
    ("se", "cluster_*: cr2, cr1 or cr0; elsewhere the standard error of the difference"),
    ("groups", "one list of numbers for each group"),
    ("cells", "lists of case, run and value"),
    ("design", "paired or unpaired"),
    ("effect_d", "the standardised difference"),
    ("sd", "standard deviation (of the differences, for pairs)"),
    ("df", "degrees of freedom"),
    ("power", "the power wanted, 0.8"),
    ("delta", "the margin"),
    ("diff", "the difference"),
    ("lo", "lower end of its interval"),
    ("hi", "upper end of its interval"),
    ("p_adj", "its corrected p-value"),
    ("sesoi", "smallest effect of interest; 0: none"),
    ("equivalent", "whether it is shown to be smaller than that"),
    ("direction", "higher, lower or none: which way is better"),
    ("reason", "why there is no interval, such as zero_variance"),
    ("stat", "mean, diff, spearman or pearson"),
    ("paired", "true: x and y are pairs"),
    ("streams", "the generator's streams for x and y, [0, 1]"),
    ("key", "the generator's key, two whole numbers"),
    ("counter", "the generator's counter, four whole numbers"),
    ("domain", "what the numbers are for: 1 bootstrap, 2 sign flips, 3 permutation, 4 correlation"),
    ("resample", "which resample, from 0"),
    ("stream", "which stream, from 0"),
    ("count", "how many indices"),
    ("fn", "the function's name"),
    ("t", "where the function is taken"),
    ("z", "where the function is taken"),
    ("f", "where the function is taken"),
    ("q", "the probability, for inverse functions"),
    ("df1", "degrees of freedom of the numerator"),
    ("df2", "degrees of freedom of the denominator"),
    ("ncp", "the noncentrality"),
];

/// Gives every operation with what it does, in order.
pub fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    OPERATIONS.iter().map(|operation| (operation.name, about(operation.name).map_or("", |told| told.says)))
}

fn about(name: &str) -> Option<&'static OperationHelp> {
    TOLD.iter().find(|told| told.name == name)
}

/// Gives the help of an operation: what it does, its arguments, an example and its answer. `None`: there is no such one.
pub fn help(name: &str) -> Option<String> {
    let operation = OPERATIONS.iter().find(|operation| operation.name == name)?;
    let told = about(name)?;
    let mut text = format!("{name}: {}\n\narguments:\n", told.says);
    for argument in operation.arguments {
        let meaning = ARGUMENTS.iter().find(|(known, _)| known == argument).map_or("", |(_, meaning)| meaning);
        text += &format!("  {argument:<12} {meaning}\n");
    }
    text += "  id           a text or whole number that comes back with the answer\n";
    let answer = answer_line(told.example).map(|answer| answer.to_string()).unwrap_or_default();
    Some(text + &format!("\nexample:\n  {}\nanswer:\n  {answer}\n", told.example))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_and_argument_is_told_and_every_example_is_answered() {
        assert_eq!(TOLD.len(), OPERATIONS.len());
        for operation in OPERATIONS {
            let told = about(operation.name).unwrap_or_else(|| panic!("{} is not told", operation.name));
            let answer = answer_line(told.example).unwrap();
            assert!(answer.get("error").is_none(), "{}: {answer}", operation.name);
            for argument in operation.arguments {
                let meaning = ARGUMENTS.iter().find(|(known, _)| known == argument);
                assert!(meaning.is_some_and(|(_, m)| !m.is_empty()), "{}: {argument}", operation.name);
            }
        }
        for (argument, _) in ARGUMENTS {
            assert!(OPERATIONS.iter().any(|operation| operation.arguments.contains(argument)), "{argument}");
        }
        assert_eq!(help("nonsense"), None);
    }
}
