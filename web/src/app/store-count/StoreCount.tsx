import { Count } from '#/features/stores/count/Count';
import { Guard } from '../guard';
import { PhoneFrame } from '../shell/PhoneShell';

/** The app that only counts. */
export default function StoreCount() {
  return (
    <PhoneFrame title="Store count">
      <main>
        <Guard permission="stores/storeCount" offline>
          <Count bare />
        </Guard>
      </main>
    </PhoneFrame>
  );
}
