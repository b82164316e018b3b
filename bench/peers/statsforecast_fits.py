"""statsforecast in a separate process: fits a method to every series of a file.

statsforecast_fits.py FILE SEASON METHOD prints METHOD, fits, processor seconds and the sum of the objective. Only
fits and their fourteen forecasts are timed, after a first one of each, so that no compilation or import is included."""

import sys
import time
import warnings

import numpy as np
from statsforecast.models import MSTL, AutoETS, AutoTheta, DynamicOptimizedTheta

warnings.filterwarnings("ignore")
file, m, method = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def model():
    match method:
        case "auto_ets":
            return AutoETS(season_length=m)
        case "dotm":
            return DynamicOptimizedTheta(season_length=m)
        case "auto_theta":
            return AutoTheta(season_length=m)
        case "mstl":
            return MSTL(season_length=m)
        case _:
            return AutoETS(season_length=m, model=method.removeprefix("ets_"), damped=False)


def minimised(fitted) -> float:
    match method:
        case "auto_ets":
            return fitted["aicc"]
        case "dotm" | "auto_theta":
            return fitted["mse"]
        case "mstl":
            return 0.0
        case _:
            return -2 * fitted["loglik"]


series = [np.array(line.split(","), dtype=float) for line in open(file)]
for y in series[:2]:
    model().fit(y).predict(h=14)
total = 0.0
began = time.process_time()
for y in series:
    fit = model().fit(y)
    fit.predict(h=14)
    total += minimised(fit.model_)
print(method, len(series), time.process_time() - began, total, sep="\t")
