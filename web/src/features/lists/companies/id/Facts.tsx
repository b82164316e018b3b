import { grouped } from '#/form/Fields';
import { Panel } from '#/ui/Page';
import { WebLink } from '#/ui/WebLink';
import { type Company, companies } from '../def';
import classes from './page.module.css';

/** A company's filled-in fields. */
export function Facts({ company }: { company: Company }) {
  return (
    <Panel title="Facts">
      <div className={classes.facts}>
        {grouped(companies.fields).map(({ title, fields }) => {
          const known = fields.filter(({ name }) => name !== 'name' && company[name]);
          if (known.length === 0) return null;
          return (
            <section key={title ?? '-'}>
              {title && <h3 className={classes.section}>{title}</h3>}
              <dl className={classes.list}>
                {known.map(({ name, label, kind }) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <dd>
                      <Value kind={kind} text={String(company[name])} name={name} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
        {companies.fields.every(({ name }) => name === 'name' || !company[name]) && (
          <p className={classes.none}>Nothing but the name is known yet.</p>
        )}
      </div>
    </Panel>
  );
}

function Value({ kind, text, name }: { kind: string; text: string; name: string }) {
  if (kind === 'web') return <WebLink address={text} />;
  if (kind === 'email') return <a href={`mailto:${encodeURIComponent(text)}`}>{text}</a>;
  if (name === 'phone') return <a href={`tel:${text.replace(/[^\d+]/g, '')}`}>{text}</a>;
  return text;
}
