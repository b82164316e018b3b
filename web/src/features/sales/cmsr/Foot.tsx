import { amount } from '#/ui/format';
import type { Content } from './api';
import classes from './Cmsr.module.css';

/** From gross sales to the rent due, line by line. */
export function Foot({ content }: { content: Content }) {
  const { foot, terms } = content;
  const lines: [string, number, ('sum' | 'off')?][] = [
    ['Gross sales', foot.gross],
    ['Less discounts', foot.discounts, 'off'],
    ['Less VAT-exempt sales', foot.exempt, 'off'],
    ['Less zero-rated sales', foot.zeroRated, 'off'],
    ['Less local tax', foot.localTax, 'off'],
    ['Less service charge', foot.serviceCharge, 'off'],
    ['Net sales less exempt', foot.netSales, 'sum'],
    ['Net sales without VAT (÷ 1.12)', foot.exVat],
    ...foot.addBacks.map(({ name, amount: added }): [string, number] => [`Add ${name}`, added]),
    ['Net sales subject to percentage rent', foot.subject, 'sum'],
  ];
  const breaks = terms?.breakpoints ?? [];
  const percent = terms
    ? [`${terms.percent}%`, ...breaks.map((one) => `${one.percent}% above ${amount(one.over)}`)]
    : [];
  if (terms) {
    lines.push([`Percentage rent (${percent.join(', ')})`, foot.percentageRent]);
    lines.push(['Fixed rent', foot.fixedRent]);
    const how =
      terms.mode === 'additive'
        ? 'both together'
        : foot.greater === 'percentage'
          ? 'the percentage is greater'
          : 'the fixed rent is greater';
    lines.push([`Rent due (${how})`, foot.rent, 'sum']);
  }
  return (
    <table className={classes.foot} aria-label="From gross sales to rent">
      <tbody>
        {lines.map(([name, value, kind]) => (
          <tr key={name} data-kind={kind}>
            <th scope="row">{name}</th>
            <td>
              {kind === 'off' && value !== 0 ? '−' : ''}
              {amount(value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
