import { Link, Navigate, useParams } from 'react-router';
import { mayOpen, useMe } from '#/api/session';
import { pages, type ReportTab, reportTabs, to } from '#/paths';
import { Page } from '#/ui/Page';
import { PageTabs } from '#/ui/PageTabs';
import { catalogue, type ReportEntry } from './catalogue';
import { CustomList } from './custom/List';
import { Management } from './Management';
import { Performance } from './Performance';
import classes from './page.module.css';

const isTab = (tab: string | undefined): tab is ReportTab =>
  (reportTabs as readonly string[]).includes(tab ?? '');

export default function ReportsPage() {
  const { tab } = useParams();
  if (!isTab(tab)) return <Navigate to={to('reports', { tab: 'standard' })} replace />;
  return (
    <Page title="Reports" narrow>
      <PageTabs
        label="Kinds of reports"
        current={tab}
        tabs={reportTabs.map((one) => ({
          value: one,
          to: to('reports', { tab: one }),
          label: one.charAt(0).toUpperCase() + one.slice(1),
        }))}
      />
      {tab === 'management' && <Management />}
      {tab === 'performance' && <Performance />}
      {tab === 'custom' && <CustomList />}
      {catalogue[tab].map(({ title, reports }) => (
        <section key={title}>
          <h2 className={classes.title}>{title}</h2>
          <ul className={classes.cards}>
            {reports.map((report) => (
              <li key={report.name}>
                <Card {...report} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Page>
  );
}

function Card({ name, question, page }: ReportEntry) {
  const me = useMe();
  const face = (
    <>
      <span className={classes.name}>{name}</span>
      <span className={classes.question}>{question}</span>
    </>
  );
  if (!page || !mayOpen(me, page)) {
    return (
      <span className={classes.card} data-off>
        {face}
      </span>
    );
  }
  return (
    <Link className={classes.card} to={pages[page].path}>
      {face}
    </Link>
  );
}
