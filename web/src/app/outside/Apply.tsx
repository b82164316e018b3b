import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { outside } from '#/paths';
import { Brand } from './Brand';
import classes from './outside.module.css';

export function Apply() {
  return (
    <div className={classes.page}>
      <header>
        <Link to={outside.home} className={classes.home} aria-label="Larder, back to start">
          <Brand />
        </Link>
      </header>
      <main className={classes.card}>
        <h1 className={classes.title}>Apply</h1>
        <p className={classes.body}>Need access? Contact your administrator.</p>
        <p className={classes.body}>
          Tell them your name, your company email, your position and the store you work in. They
          will make your account and send you a link to set a password.
        </p>
        <Button component={Link} to={outside.login} variant="default" fullWidth mt="md">
          Back to sign in
        </Button>
      </main>
    </div>
  );
}
