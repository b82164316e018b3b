// Solves the proof of work in a worker, so that the page stays responsive.
import { solve } from './proof';

self.onmessage = ({ data }: MessageEvent<{ nonce: string; difficulty: number }>) => {
  self.postMessage(solve(data.nonce, data.difficulty));
};
