import { Button, Select } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import facts from '#/documents/Document.module.css';
import { pages, queryString, to } from '#/paths';
import {
  LOTS_PAGE,
  type LotTrace,
  RECALL,
  RECEIVING,
  type TracedLot,
  useRecalls,
} from '#/stock/api';
import { Expiry } from '#/stock/Expiry';
import { RecallPlaces } from '#/stock/RecallPlaces';
import { stillThere } from '#/stock/stillThere';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { today, toNumber } from '#/ui/dates';
import { moment } from '#/ui/format';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { usePhone } from '#/ui/usePhone';
import { Events } from './Events';
import classes from './Lot.module.css';
import { inAll, lotKey } from './model';
import { CameFrom, WentInto, WhoHasIt } from './Panels';
import { RecallButton } from './RecallButton';

export const back = { to: pages.stockLots.path, label: 'Lots' };

/** A lot from its origin to its current places, on one screen. */
export function LotView({ trace, productId }: { trace: LotTrace; productId: string }) {
  const state = useTableState();
  const navigate = useNavigate();
  const phone = usePhone();
  const mayExport = useCan(LOTS_PAGE, 'export');
  const mayRecall = useCan(...RECALL);
  const asked = trace.lots.filter(({ side }) => side === 'asked');
  const lot = asked[0];
  if (!lot) return null;
  const one = asked.length === 1;
  const stores = one ? namesOf(trace, lot) : [];
  const daysLeft = lot.expiry ? toNumber(lot.expiry) - toNumber(today()) : null;
  const exportHref = (format: 'csv' | 'xlsx') =>
    `/api/stock/lots/${encodeURIComponent(trace.lot)}/trace/export${queryString({ format, productId })}`;
  return (
    <Page
      fill={!phone}
      title={`Lot ${trace.lot}`}
      back={<BackLink to={back.to} label={back.label} />}
      aside={one && lot.recalledAt ? <StatusPill tone="danger">Recalled</StatusPill> : undefined}
      actions={one ? <RecallButton lot={lot} stores={stores} /> : <ChooseFirst />}
    >
      {one ? (
        <dl className={facts.facts}>
          <Fact name="Product">{lot.name}</Fact>
          {lot.sku && <Fact name="SKU">{lot.sku}</Fact>}
          <Fact name="Expiry">
            <Expiry expiry={lot.expiry} daysLeft={daysLeft} />
          </Fact>
          <Fact name="In stock">{stillThere(inAll(trace, lot), lot.uomCode)}</Fact>
        </dl>
      ) : (
        <Select
          label={`${asked.length} products have this lot code`}
          placeholder={
            mayRecall ? 'Choose one to see or recall it' : 'Choose one to see it by itself'
          }
          maw={340}
          searchable
          data={asked.map((other) => ({ value: other.productId, label: other.name }))}
          value={null}
          onChange={(product) =>
            product && void navigate(to('stockLot', { lot: trace.lot }, { product }))
          }
        />
      )}
      {one && lot.recalledAt && (
        <div className={classes.recalled} role="alert">
          <p>
            <b>Recalled {moment(lot.recalledAt)}</b>
            {lot.recalledBy?.name && ` by ${lot.recalledBy.name}`}: {lot.recallReason}
          </p>
          <Unanswered lot={lot} />
        </div>
      )}
      {trace.cut && (
        <p className={facts.notice}>
          This lot reaches further than fits here. What is shown is not all of it.
        </p>
      )}
      <div className={classes.panels}>
        <CameFrom trace={trace} />
        <WentInto trace={trace} />
        <WhoHasIt trace={trace} />
      </div>
      <section className={classes.events} aria-label="Everything that happened">
        <Events trace={trace} state={state} exportHref={mayExport ? exportHref : undefined} />
      </section>
    </Page>
  );
}

/** A recall is of one product. */
function ChooseFirst() {
  const may = useCan(...RECALL);
  if (!may) return null;
  return (
    <>
      <span id="chooseToRecall" className={classes.choose}>
        Choose a product to recall
      </span>
      <Button variant="outline" color="red" disabled aria-describedby="chooseToRecall">
        Recall lot
      </Button>
    </>
  );
}

/** The places that may have it and have not answered. */
function Unanswered({ lot }: { lot: TracedLot }) {
  const { data } = useRecalls('');
  const seesStores = useCan(RECEIVING);
  const places = data?.items.filter((one) => lotKey(one) === lotKey(lot));
  if (!places) return null;
  // Without it only kitchens are listed.
  if (places.length === 0) return seesStores ? <p>Every place has answered.</p> : null;
  return <RecallPlaces places={places} />;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The stores that may still have it. */
function namesOf(trace: LotTrace, lot: TracedLot): string[] {
  const places = trace.there.filter(
    (place) =>
      lotKey(place) === lotKey(lot) &&
      place.cameLessLeft > 0 &&
      ['store', 'inTransit'].includes(place.placeKind),
  );
  return [...new Set(places.map(({ placeName }) => placeName))];
}
