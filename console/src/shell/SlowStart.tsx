import styles from './SlowStart.module.css';

/** Replaces an empty page while the first call waits, for example for the end of a rate limit. */
export function SlowStart() {
  return (
    <main className={styles.note}>
      <div role="status">
        <h1>Loading.</h1>
        <p>If this takes long, the server is limiting requests and the page continues by itself.</p>
      </div>
    </main>
  );
}
