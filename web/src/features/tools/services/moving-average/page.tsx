import { forecasts } from '../forecast/define';
import { ForecastServicePage } from '../forecast/ForecastServicePage';

export default function MovingAveragePage() {
  return <ForecastServicePage def={forecasts.movingAverage} />;
}
