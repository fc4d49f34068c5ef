import styles from './ui.module.css';

interface SkeletonProps {
  /** In pixels; left out: the full width. */
  readonly width?: number;
  readonly height?: number;
}

/** Stands for content that is loading. */
export function Skeleton({ width, height = 14 }: SkeletonProps) {
  return (
    <span
      className={styles.skeleton}
      style={{ width: width ?? '100%', height }}
      aria-hidden="true"
    />
  );
}
