//! Operations on pairs, clusters, groups and families.

use serde_json::Value;

use super::request::{BadRequest, Request, require, show};
use super::samples::{defined, factor, pairs};
use crate::stats::adjust::Method;
use crate::stats::bootstrap::{self, Correlation, Settings, bootstrap_correlation};
use crate::stats::cluster::{self, ClusterSe, Clusters};
use crate::stats::noise::{self as budget, CaseRunValue};
use crate::stats::{
    adjust as family, groups, icc as correlation, kendall as concordance, pearson as linear, spearman as ranked,
};

type Answer = Result<Value, BadRequest>;

pub(super) fn pearson(request: &Request) -> Answer {
    let (x, y) = pairs(request)?;
    show(&linear::pearson(&x, &y, request.alpha()?))
}

pub(super) fn spearman(request: &Request) -> Answer {
    let (x, y) = pairs(request)?;
    let method = bootstrap_method(request, "ci")?;
    let settings = Settings { method, resamples: request.resamples()?, seed: request.seed()?, alpha: request.alpha()? };
    let mut out = ranked::spearman(&x, &y, settings.resamples, settings.seed);
    out.ci_method = method.name();
    if request.flag("boot")?.unwrap_or(true) && out.rho.is_some() {
        let interval = bootstrap_correlation(Correlation::Spearman, &x, &y, None, 0, &settings);
        (out.ci_lo, out.ci_hi) = (interval.lo, interval.hi);
    }
    show(&out)
}

pub(super) fn bootstrap_method(request: &Request, name: &str) -> Result<bootstrap::Method, BadRequest> {
    request.choice(name, &[("percentile", bootstrap::Method::Percentile), ("bca", bootstrap::Method::Bca)])
}

pub(super) fn kendall(request: &Request) -> Answer {
    let (x, y) = pairs(request)?;
    show(&concordance::kendall(&x, &y))
}

pub(super) fn adjust(request: &Request) -> Answer {
    let (p, log10_p) = (request.numbers("p")?, request.numbers("log10_p")?);
    let words =
        [("holm", Method::Holm), ("bh", Method::Bh), ("bonferroni", Method::Bonferroni), ("none", Method::None)];
    let method = request.choice("method", &words)?;
    require(p.is_some() || log10_p.is_some(), "p", "p or log10_p")?;
    if let (Some(p), Some(log10_p)) = (&p, &log10_p) {
        require(p.len() == log10_p.len(), "log10_p", "as many as p")?;
    }
    let (p, log10_p) = (p.unwrap_or_default(), log10_p.unwrap_or_default());
    let are_p = p.iter().flatten().all(|v| *v > 0.0 && *v <= 1.0);
    require(are_p, "p", "p-values above 0 and up to 1, or null (below 1e-300 pass log10_p)")?;
    require(log10_p.iter().flatten().all(|v| *v <= 0.0), "log10_p", "numbers up to 0, or null")?;
    show(&family::adjust(&p, &log10_p, method))
}

/// Values with the clusters they stand in; those without a value are left out.
pub(super) struct Clustered {
    values: Vec<f64>,
    names: Vec<String>,
}

impl Clustered {
    pub(super) fn read(request: &Request, values: &str, clusters: &str) -> Result<Clustered, BadRequest> {
        let numbers = request.need_numbers(values)?;
        let ids = request.ids(clusters)?.ok_or_else(|| BadRequest::missing(clusters))?;
        require(ids.len() == numbers.len(), clusters, "one id per value")?;
        let (values, names) = numbers.into_iter().zip(ids).filter_map(|(v, id)| Some((v?, id))).unzip();
        Ok(Clustered { values, names })
    }

    pub(super) fn clusters(&self) -> Clusters<'_> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        Clusters::of(&self.values, &names)
    }
}

fn cluster_se(request: &Request) -> Result<ClusterSe, BadRequest> {
    request.choice("se", &[("cr2", ClusterSe::Cr2), ("cr1", ClusterSe::Cr1), ("cr0", ClusterSe::Cr0)])
}

pub(super) fn cluster_mean(request: &Request) -> Answer {
    let rows = Clustered::read(request, "values", "clusters")?;
    show(&cluster::cluster_mean(&rows.clusters(), cluster_se(request)?, request.alpha()?))
}

pub(super) fn cluster_diff(request: &Request) -> Answer {
    let x = Clustered::read(request, "x", "x_clusters")?;
    let y = Clustered::read(request, "y", "y_clusters")?;
    let crossed = request.flag("crossed")?.unwrap_or(true);
    let (kind, alpha, factor) = (cluster_se(request)?, request.alpha()?, factor(request)?);
    show(&cluster::cluster_diff(&x.clusters(), &y.clusters(), crossed, kind, alpha, factor))
}

fn samples(request: &Request) -> Result<Vec<Vec<f64>>, BadRequest> {
    Ok(request.groups("groups")?.into_iter().map(defined).collect())
}

pub(super) fn anova(request: &Request) -> Answer {
    show(&groups::anova(&samples(request)?))
}

pub(super) fn kruskal(request: &Request) -> Answer {
    show(&groups::kruskal(&samples(request)?))
}

pub(super) fn friedman(request: &Request) -> Answer {
    let columns = request.groups("groups")?;
    let size = columns.first().map_or(0, Vec::len);
    require(columns.iter().all(|c| c.len() == size), "groups", "groups of equal size")?;
    let blocks: Vec<Vec<f64>> = (0..size).filter_map(|i| columns.iter().map(|c| c[i]).collect()).collect();
    show(&groups::friedman(columns.len(), &blocks))
}

pub(super) fn icc(request: &Request) -> Answer {
    show(&correlation::icc(&samples(request)?, request.alpha()?))
}

pub(super) fn noise(request: &Request) -> Answer {
    let cells = request.cells("cells")?;
    let cells: Vec<CaseRunValue<&String>> =
        cells.iter().map(|(case, run, value)| CaseRunValue { case, run, value: *value }).collect();
    show(&budget::noise(&cells, request.alpha()?))
}
