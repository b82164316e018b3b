"""statsforecast in a separate process: forecasts the series of a file at the cut-offs of Larder's example.

statsforecast_cuts.py FILE [MODEL …] reads lines of JSON (as written by `accuracy --dump`) and prints the table that the
example prints, by the same definitions: masked days are excluded, a series has one MASE over its cut-offs. Milliseconds
are of processor time (with the interval where a model is fitted). Intervals are the model's own, or conformal by twelve
windows where it has none; a mean of models has none."""

import json
import statistics
import sys
import time
import warnings
from collections import defaultdict

import numpy as np
from statsforecast.models import (
    ADIDA,
    IMAPA,
    TSB,
    AutoARIMA,
    AutoETS,
    AutoTheta,
    CrostonClassic,
    CrostonSBA,
    DynamicOptimizedTheta,
    HistoricAverage,
    MSTL,
    SeasonalExponentialSmoothing,
    SeasonalNaive,
    SeasonalWindowAverage,
    SimpleExponentialSmoothingOptimized,
    WindowAverage,
)
from statsforecast.utils import ConformalIntervals

warnings.filterwarnings("ignore")
WEEK, HISTORY, HORIZON, LEVEL = 7, 365, 14, 80
BY_ERRORS = {"prediction_intervals": ConformalIntervals(n_windows=12, h=HORIZON)}
MODELS = {
    "snaive": SeasonalNaive(WEEK),
    "hist_avg": HistoricAverage(),
    "sma28": WindowAverage(28, **BY_ERRORS),
    "swa_4": SeasonalWindowAverage(season_length=WEEK, window_size=4, **BY_ERRORS),
    "swa_8": SeasonalWindowAverage(season_length=WEEK, window_size=8, **BY_ERRORS),
    "ses_opt": SimpleExponentialSmoothingOptimized(**BY_ERRORS),
    "seas_es_0.1": SeasonalExponentialSmoothing(season_length=WEEK, alpha=0.1, **BY_ERRORS),
    "croston": CrostonClassic(**BY_ERRORS),
    "sba": CrostonSBA(**BY_ERRORS),
    "tsb_0.1_0.1": TSB(0.1, 0.1, **BY_ERRORS),
    "adida": ADIDA(**BY_ERRORS),
    "imapa": IMAPA(**BY_ERRORS),
    "ets_ANA": AutoETS(season_length=WEEK, model="ANA"),
    "dotm": DynamicOptimizedTheta(season_length=WEEK),
    "auto_theta": AutoTheta(season_length=WEEK),
    "mstl": MSTL(season_length=WEEK),
    "auto_ets": AutoETS(season_length=WEEK),
    "auto_arima": AutoARIMA(season_length=WEEK, approximation=True),
}
FITTED = (AutoARIMA, AutoETS, AutoTheta, DynamicOptimizedTheta, MSTL)
BOUNDS = (f"lo-{LEVEL}", f"hi-{LEVEL}")
DENSE_ONLY = {"auto_ets", "auto_arima", "auto_theta", "mstl"}  # take hours on series that rarely sell
MEANS = [("swa_8", "ets_ANA", "dotm"), ("ets_ANA", "dotm"), ("swa_8", "ets_ANA"), ("swa_4", "ets_ANA"),
         ("ets_ANA", "auto_arima"), ("ets_ANA", "dotm", "auto_arima"), ("swa_8", "tsb_0.1_0.1")]


class Figures:
    """Sums of one model in one part and class."""

    def __init__(self):
        self.wrong, self.sold, self.mase, self.inside, self.took, self.refused = 0.0, 0.0, [], [], [], 0

    def row(self) -> list:
        mase = sum(mase * cuts for mase, cuts in self.mase)
        forecasts = sum(cuts for _, cuts in self.mase)
        took = 1000 * statistics.median(self.took) if self.took else float("nan")
        return [mase, forecasts, self.wrong, self.sold, sum(self.inside), len(self.inside), len(self.mase), self.refused, took]


def main() -> None:
    wanted = set(sys.argv[2:]) or set(MODELS)
    models = {name: model for name, model in MODELS.items() if name in wanted}
    for model in models.values():
        ahead(model, np.arange(1.0, 300.0) % 11)  # so that no compilation is timed
    table = defaultdict(Figures)
    with open(sys.argv[1]) as lines:
        for line in lines:
            of_series(json.loads(line), models, table)
    head = "part class kind name mase forecasts wrong sold inside intervals series refused ms"
    print(*head.split(), sep="\t")
    for (part, group, name), figures in table.items():
        print(part, group, "mean" if "+" in name else "method", name, *figures.row(), sep="\t")


def of_series(series: dict, models: dict, table: dict) -> None:
    """Adds the forecasts of one series at its cut-offs."""
    y, masked = np.array(series["y"]), np.array(series["masked"])
    sums = defaultdict(lambda: [0.0, 0.0, 0])
    for cut, group in series["cuts"]:
        start = max(0, cut - HISTORY)
        before, hidden = y[start:cut], masked[start:cut]
        sold, known = y[cut:cut + HORIZON], ~masked[cut:cut + HORIZON]
        if not known.any():
            continue
        pairs = ~(hidden[WEEK:] | hidden[:-WEEK])
        scale = np.abs(before[WEEK:] - before[:-WEEK])[pairs].mean() if pairs.any() else None
        found = {}
        for name, model in models.items():
            if group == "dense" or name not in DENSE_ONLY:
                found[name] = ahead(model, before)
        for names in MEANS:
            parts = [found.get(name) for name in names]
            if all(parts):
                found["+".join(names)] = (np.mean([part[0] for part in parts], axis=0), None, sum(part[2] for part in parts))
        for name, made in found.items():
            figures = table[series["part"], group, name]
            if made is None:
                figures.refused += 1
                continue
            forecast, limits, took = made
            wrong = np.abs(forecast - sold)[known].sum()
            figures.wrong += wrong
            figures.sold += sold[known].sum()
            figures.took.append(took)
            if limits is not None:
                within = (sold >= limits[0]) & (sold <= limits[1])
                figures.inside.append(within[known].mean())
            one = sums[group, name]
            one[2] += 1
            if scale is not None:
                one[0] += wrong
                one[1] += scale * known.sum()
    for (group, name), (errors, scales, cuts) in sums.items():
        if scales > 0:
            table[series["part"], group, name].mase.append((errors / scales, cuts))


def ahead(model, before: np.ndarray) -> tuple | None:
    """Forecast, bounds of the 80% interval and seconds; nothing where the model refuses."""
    fitted = isinstance(model, FITTED)
    level = {"level": [LEVEL]} if fitted else {}
    began = time.process_time()
    try:
        made = model.forecast(y=before, h=HORIZON, **level)
    except Exception:
        return None
    took = time.process_time() - began
    if not fitted:  # the interval takes longer than the forecast
        try:
            made = model.forecast(y=before, h=HORIZON, level=[LEVEL])
        except Exception:
            pass
    forecast, *limits = (np.maximum(np.asarray(made[it]), 0) for it in ("mean", *BOUNDS) if it in made)
    if np.isnan(forecast).any():
        return None
    return forecast, limits if len(limits) == 2 and not np.isnan(limits).any() else None, took


if __name__ == "__main__":
    main()
