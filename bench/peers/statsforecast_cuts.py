"""statsforecast in a separate process: forecasts the series of a file at the cut-offs of Larder's example.

statsforecast_cuts.py FILE METHOD … reads lines of series, group, value, masked (as written by `accuracy --dump`) and
prints a line of group, method, MASE of 14 days, median milliseconds of processor time of a forecast, for each group
and method. MASE is by Larder's definition: masked days are excluded, a series has one MASE over its cut-offs, a
group the mean."""

import csv
import statistics
import sys
import time
import warnings

import numpy as np
from statsforecast.models import (
    ADIDA,
    IMAPA,
    TSB,
    AutoETS,
    CrostonClassic,
    CrostonSBA,
    DynamicOptimizedTheta,
    HistoricAverage,
    SeasonalExponentialSmoothing,
    SeasonalNaive,
    SeasonalWindowAverage,
    SimpleExponentialSmoothingOptimized,
    WindowAverage,
)

warnings.filterwarnings("ignore")
WEEK, HISTORY, HORIZON, CUTS, STEP = 7, 365, 14, 26, 7
MODELS = {
    "snaive": SeasonalNaive(WEEK),
    "hist_avg": HistoricAverage(),
    "sma28": WindowAverage(28),
    "swa_4": SeasonalWindowAverage(season_length=WEEK, window_size=4),
    "ses_opt": SimpleExponentialSmoothingOptimized(),
    "seas_es_0.1": SeasonalExponentialSmoothing(season_length=WEEK, alpha=0.1),
    "croston": CrostonClassic(),
    "sba": CrostonSBA(),
    "tsb_0.1_0.1": TSB(0.1, 0.1),
    "adida": ADIDA(),
    "imapa": IMAPA(),
    "ets_ANA": AutoETS(season_length=WEEK, model="ANA"),
    "auto_ets": AutoETS(season_length=WEEK),
    "dotm": DynamicOptimizedTheta(season_length=WEEK),
}


def main() -> None:
    file, names = sys.argv[1], sys.argv[2:]
    series = read(file)
    for name in names:
        took, groups = [], {}
        MODELS[name].forecast(y=np.arange(1.0, 60.0), h=HORIZON)  # so that no compilation is timed
        for group, y, masked in series:
            if name == "auto_ets" and group != "dense":
                continue  # takes minutes on unsuitable series
            mase = of_series(MODELS[name], y, masked, took)
            if mase is not None:
                groups.setdefault(group, []).append(mase)
        for group, values in groups.items():
            print(group, name, sum(values) / len(values), 1000 * statistics.median(took), sep="\t", flush=True)


def read(file: str) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Group, values and mask of each series."""
    found: dict[str, tuple[str, list, list]] = {}
    with open(file, newline="") as lines:
        for row in csv.DictReader(lines):
            _, values, masked = found.setdefault(row["series"], (row["group"], [], []))
            values.append(float(row["y"]))
            masked.append(row["masked"] == "1")
    return [(group, np.array(y), np.array(mask)) for group, y, mask in found.values() if group != "none"]


def of_series(model, y: np.ndarray, masked: np.ndarray, took: list) -> float | None:
    """MASE over all cut-offs at which the model gives a forecast."""
    errors = scales = 0.0
    for nth in range(CUTS):
        cut = len(y) - HORIZON - nth * STEP
        if cut < HORIZON:
            break
        before, hidden = y[max(0, cut - HISTORY):cut], masked[max(0, cut - HISTORY):cut]
        began = time.process_time()
        try:
            forecast = model.forecast(y=before, h=HORIZON)["mean"]
        except Exception:
            continue
        finally:
            took.append(time.process_time() - began)
        known = ~masked[cut:cut + HORIZON]
        pairs = ~(hidden[WEEK:] | hidden[:-WEEK])
        if not known.any() or not pairs.any() or np.isnan(forecast).any():
            continue
        errors += np.abs(np.maximum(forecast, 0) - y[cut:cut + HORIZON])[known].sum()
        scales += np.abs(before[WEEK:] - before[:-WEEK])[pairs].mean() * known.sum()
    return errors / scales if scales > 0 else None


if __name__ == "__main__":
    main()
