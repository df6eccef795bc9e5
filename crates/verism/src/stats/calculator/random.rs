//! Operations on resamples, the generator and the distributions.

use serde_json::{Value, json};

use super::request::{BadRequest, Request, require, show};
use super::samples::{pairs, sample};
use super::tables::{Clustered, bootstrap_method};
use crate::stats::bootstrap::{Correlation, Job, Settings, bootstrap_correlation, run_one};
use crate::stats::differences::Differences;
use crate::stats::numeric::gamma::chi2_sf;
use crate::stats::numeric::noncentral_t::nct_cdf;
use crate::stats::numeric::normal::{normal_isf, normal_sf, normal_two_sided};
use crate::stats::numeric::student::{f_sf, t_isf, t_sf, t_two_sided};
use crate::stats::numeric::tail::{SMALLEST_P, Tail};
use crate::stats::random::{Domain, Draw, philox};

type Answer = Result<Value, BadRequest>;

#[derive(Clone, Copy, PartialEq)]
enum Statistic {
    Mean,
    Diff,
    Correlation(Correlation),
}

pub(super) fn bootstrap(request: &Request) -> Answer {
    let words = [
        ("mean", Statistic::Mean),
        ("diff", Statistic::Diff),
        ("spearman", Statistic::Correlation(Correlation::Spearman)),
        ("pearson", Statistic::Correlation(Correlation::Pearson)),
    ];
    let statistic = request.choice("stat", &words)?;
    let settings = Settings {
        method: bootstrap_method(request, "method")?,
        resamples: request.resamples()?,
        seed: request.seed()?,
        alpha: request.alpha()?,
    };
    let streams: [u64; 2] = request.words("streams")?.unwrap_or([0, 1]);
    let (paired, crossed) = (request.flag("paired")?.unwrap_or(false), request.flag("crossed")?.unwrap_or(true));
    check_clusters(request, statistic)?;
    let job = match statistic {
        Statistic::Mean if request.has("clusters") => {
            Job::cluster_mean(&Clustered::read(request, "x", "clusters")?.clusters(), streams[0])
        }
        Statistic::Mean => Job::mean(&sample(request, "x")?, streams[0]),
        Statistic::Diff if request.has("x_clusters") => {
            let x = Clustered::read(request, "x", "x_clusters")?;
            let y = Clustered::read(request, "y", "y_clusters")?;
            Job::cluster_diff(&x.clusters(), &y.clusters(), crossed, streams)
        }
        Statistic::Diff if paired => {
            let (x, y) = pairs(request)?;
            Job::paired(&Differences::of_pairs(&x, &y), streams[0])
        }
        Statistic::Diff => Job::unpaired(&sample(request, "x")?, &sample(request, "y")?, streams),
        Statistic::Correlation(kind) => return correlation(request, kind, streams[0], &settings),
    };
    show(&run_one(&job, &settings))
}

fn check_clusters(request: &Request, statistic: Statistic) -> Result<(), BadRequest> {
    let x = request.need_numbers("x")?.len();
    let y = request.numbers("y")?.map(|y| y.len());
    require(statistic == Statistic::Mean || y.is_some(), "y", "a value (it is missing)")?;
    let (whole, of_x, of_y) = (request.ids("clusters")?, request.ids("x_clusters")?, request.ids("y_clusters")?);
    let fits = whole.is_none_or(|ids| statistic != Statistic::Diff && ids.len() == x);
    require(fits, "clusters", "one id per value, not with stat diff")?;
    require(of_x.is_some() == of_y.is_some(), "x_clusters", "together with y_clusters")?;
    let only_diff = "one id per value, with stat diff";
    require(of_x.is_none_or(|ids| statistic == Statistic::Diff && ids.len() == x), "x_clusters", only_diff)?;
    require(of_y.is_none_or(|ids| statistic == Statistic::Diff && Some(ids.len()) == y), "y_clusters", only_diff)
}

fn correlation(request: &Request, kind: Correlation, stream: u64, settings: &Settings) -> Answer {
    let (all_x, all_y) = (request.need_numbers("x")?, request.need_numbers("y")?);
    let (x, y) = pairs(request)?;
    let ids = request.ids("clusters")?;
    let names: Option<Vec<&str>> = ids.as_ref().map(|ids| {
        let complete = all_x.iter().zip(&all_y).map(|(a, b)| a.is_some() && b.is_some());
        ids.iter().zip(complete).filter(|(_, complete)| *complete).map(|(id, _)| id.as_str()).collect()
    });
    show(&bootstrap_correlation(kind, &x, &y, names.as_deref(), stream, settings))
}

pub(super) fn rng(request: &Request) -> Answer {
    let key = request.words("key")?.ok_or_else(|| BadRequest::missing("key"))?;
    let counter = request.words("counter")?.ok_or_else(|| BadRequest::missing("counter"))?;
    Ok(json!({"words": philox(counter, key).map(|word| format!("{word:016x}"))}))
}

pub(super) fn rng_indices(request: &Request) -> Answer {
    let n = request.need_word("n")?;
    require(n >= 1, "n", "a whole number of at least 1")?;
    let draw = Draw {
        seed: request.need_word("seed")?,
        domain: request.domain()?,
        resample: request.need_word("resample")?,
        stream: request.need_word("stream")?,
    };
    let indices: Vec<u64> = draw.indices(n, request.need_size("count")? as usize).collect();
    Ok(json!({"indices": indices}))
}

pub(super) fn rng_signs(request: &Request) -> Answer {
    let draw = Draw::new(request.need_word("seed")?, Domain::SignFlip, request.need_word("resample")?);
    let n = request.need_size("n")? as usize;
    let signs: Vec<i8> = draw.flips(n).map(|flip| if flip { -1 } else { 1 }).collect();
    Ok(json!({"signs": signs}))
}

pub(super) fn rng_shuffle(request: &Request) -> Answer {
    let (seed, resample) = (request.need_word("seed")?, request.need_word("resample")?);
    let draw = Draw { seed, domain: request.domain()?, resample, stream: 0 };
    let mut order: Vec<usize> = (0..request.need_size("n")? as usize).collect();
    draw.shuffle(&mut order);
    Ok(json!({"order": order}))
}

/// A distribution function and the arguments it takes.
pub(super) fn dist(request: &Request) -> Answer {
    let takes = |names: &[&str]| {
        for name in request.arguments.keys().filter(|k| *k != "fn") {
            require(names.contains(&name.as_str()), name, "no argument of this name for this fn")?;
        }
        Ok(())
    };
    let need = |found: Result<Option<f64>, BadRequest>, name: &str| found?.ok_or_else(|| BadRequest::missing(name));
    let number = |name: &str| need(request.number(name), name);
    let positive = |name: &str| need(request.positive(name), name);
    let not_negative = |name: &str| need(request.not_negative(name), name);
    let level = || need(request.open("q"), "q");
    let function = request.nullable_text("fn")?.ok_or_else(|| BadRequest::missing("fn"))?;
    match function {
        "t_sf" => takes(&["t", "df"]).and_then(|()| probability(t_sf(number("t")?, positive("df")?))),
        "t_two_sided" => takes(&["t", "df"]).and_then(|()| probability(t_two_sided(number("t")?, positive("df")?))),
        "norm_sf" => takes(&["z"]).and_then(|()| probability(normal_sf(number("z")?))),
        "norm_two_sided" => takes(&["z"]).and_then(|()| probability(normal_two_sided(number("z")?))),
        "chi2_sf" => takes(&["x", "df"]).and_then(|()| probability(chi2_sf(not_negative("x")?, positive("df")?))),
        "f_sf" => takes(&["f", "df1", "df2"])
            .and_then(|()| probability(f_sf(not_negative("f")?, positive("df1")?, positive("df2")?))),
        "nct_cdf" => takes(&["t", "df", "ncp"])
            .and_then(|()| probability(nct_cdf(number("t")?, positive("df")?, number("ncp")?))),
        "t_isf" => takes(&["q", "df"]).and_then(|()| quantile(t_isf(level()?, positive("df")?))),
        "norm_isf" => takes(&["q"]).and_then(|()| quantile(normal_isf(level()?))),
        _ => Err(BadRequest::expected(
            "fn",
            "one of t_sf|t_two_sided|norm_sf|norm_two_sided|chi2_sf|f_sf|t_isf|norm_isf|nct_cdf",
        )),
    }
}

#[derive(serde::Serialize)]
struct Probability {
    value: Option<f64>,
    log10: f64,
}

fn probability(tail: Tail) -> Answer {
    let log10 = tail.ln / std::f64::consts::LN_10 + 0.0;
    show(&Probability { value: (tail.p >= SMALLEST_P).then_some(tail.p), log10 })
}

#[derive(serde::Serialize)]
struct Quantile {
    value: f64,
}

fn quantile(value: f64) -> Answer {
    show(&Quantile { value })
}
