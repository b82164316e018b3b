import type { ReactNode } from 'react';
import { Fields, grouped } from '#/form/Fields';
import { FormProblem } from '#/form/FormProblem';
import type { Field } from '#/form/types';
import { ErrorBox } from '#/ui/ErrorBox';
import { type Product, pictureOf } from '../api';
import { fields, SECTIONS, type Section } from '../fields';
import { useUnitName } from '../names';
import { BarcodesSection } from './BarcodesSection';
import { PictureField } from './PictureField';
import { Prices } from './Prices';
import { UnitsSection } from './UnitsSection';
import type { ProductEdit } from './useProductForm';

interface Props {
  product: Product | null;
  edit: ProductEdit;
  readOnly?: boolean;
  /** The sections to show; all by default. */
  only?: readonly Section[];
  /** Wraps a section. */
  frame(section: Section, content: ReactNode): ReactNode;
}

/** The sections of a product's form, used by the drawer and the page of a new product. */
export function ProductSections({ product, edit, readOnly, only = SECTIONS, frame }: Props) {
  const { form } = edit.edit;
  const unitName = useUnitName();
  const groups = new Map(grouped(fields).map(({ title, fields: group }) => [title, group]));
  const { errors } = edit;

  function content(section: Section): ReactNode {
    const group: readonly Field[] = groups.get(section) ?? [];
    switch (section) {
      case 'Units':
        return <UnitsSection form={form} errors={errors} nameOf={unitName} readOnly={readOnly} />;
      case 'Barcodes':
        return <BarcodesSection form={form} errors={errors} readOnly={readOnly} />;
      case 'Prices':
        return (
          <Prices
            form={form}
            errors={errors}
            unit={unitName(String(form.values.defaultSellingUom ?? form.values.baseUom ?? ''))}
            readOnly={readOnly}
          />
        );
      case 'Picture':
        return (
          <PictureField
            url={pictureOf(product?.imageUrl, 'full')}
            change={edit.picture}
            progress={edit.progress}
            readOnly={readOnly}
            onChange={edit.setPicture}
          />
        );
      default:
        return (
          <Fields
            fields={group}
            form={form}
            readOnly={readOnly}
            autoFocus={section === 'Basics' && !readOnly}
          />
        );
    }
  }

  return only.map((section) => frame(section, content(section)));
}

/** Problems that belong to no field. */
export function ProductProblems({ edit }: { edit: ProductEdit }) {
  return (
    <>
      <FormProblem edit={edit.edit} />
      {edit.lost && (
        <ErrorBox>The product was saved, but not its picture: {edit.lost.message}</ErrorBox>
      )}
    </>
  );
}
