// Works on the proof beside the page, which stays alive meanwhile.
import { solve } from './proof';

self.onmessage = ({ data }: MessageEvent<{ nonce: string; difficulty: number }>) => {
  self.postMessage(solve(data.nonce, data.difficulty));
};
