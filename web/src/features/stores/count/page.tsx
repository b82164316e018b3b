import { Count } from './Count';

/** Counting in the back office: on a phone in the aisle, or at a desk from paper. */
export default function StoreCountPage() {
  return <Count />;
}
