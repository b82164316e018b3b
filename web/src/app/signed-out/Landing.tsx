import { Button } from '@mantine/core';
import {
  IconBuildingStore,
  IconChartBar,
  IconClipboardCheck,
  IconToolsKitchen2,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { outsideShell } from '#/paths';
import { Brand } from './Brand';
import classes from './signedOut.module.css';

const LOOP = [
  { icon: IconChartBar, name: 'Sales', text: 'Every till, every day' },
  { icon: IconToolsKitchen2, name: 'Usage', text: 'What the kitchens used' },
  { icon: IconTruckDelivery, name: 'Supply', text: 'What each store needs' },
  { icon: IconBuildingStore, name: 'Receiving', text: 'What arrived' },
  { icon: IconClipboardCheck, name: 'Counts', text: 'What is there' },
] as const;

export default function Landing() {
  return (
    <div className={classes.landing}>
      <header className={classes.landingTop}>
        <Brand />
      </header>
      <main className={classes.hero}>
        <div>
          <h1 className={classes.headline}>From the till to the shelf, one set of numbers.</h1>
          <p className={classes.lead}>
            Larder is where our stores, commissary and office agree on what was sold, what was used
            and what to send next.
          </p>
          <Button component={Link} to={outsideShell.login} size="md" className={classes.cta}>
            Sign in
          </Button>
        </div>
        <ol className={classes.loop}>
          {LOOP.map(({ icon: Picture, name, text }) => (
            <li key={name} className={classes.station}>
              <span className={classes.stationIcon}>
                <Picture size={20} stroke={1.6} aria-hidden />
              </span>
              <span>
                <strong>{name}</strong>
                <span className={classes.stationText}>{text}</span>
              </span>
            </li>
          ))}
        </ol>
      </main>
      <footer className={classes.landingFoot}>For staff. Access is given by administrators.</footer>
    </div>
  );
}
