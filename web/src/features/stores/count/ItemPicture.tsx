import { usePicture } from './pictures';
import classes from './Rows.module.css';
import type { Item } from './types';

/** The item's picture, or its first letter. */
export function ItemPicture({ item }: { item: Item }) {
  const { src, lose } = usePicture(item.imageUrl);
  if (!src) {
    return (
      <span className={classes.letter} aria-hidden>
        {item.name.trim().charAt(0).toUpperCase()}
      </span>
    );
  }
  return <img className={classes.picture} src={src} alt="" loading="lazy" onError={lose} />;
}
