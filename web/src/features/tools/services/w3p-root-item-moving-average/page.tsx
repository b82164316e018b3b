import { forecasts } from '../forecast/define';
import { ForecastServicePage } from '../forecast/ForecastServicePage';

export default function W3pMovingAveragePage() {
  return <ForecastServicePage def={forecasts.w3pMovingAverage} />;
}
