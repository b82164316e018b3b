import { ConnectorsPage } from '#/connectors/ConnectorsPage';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { apiKind } from './kind';

/** Sales from any JSON API. */
export default function GetSalesApiPage() {
  return (
    <ConnectorsPage
      kind={apiKind}
      title="Get sales by API"
      back={<BackLink to={pages.toolsServices.path} label="Services" />}
      empty="A connector asks a POS vendor's API for each day's sales and posts them when the whole day has come."
    />
  );
}
