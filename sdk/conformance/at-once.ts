/**
 * Whether an action ends some work without waiting for a timer or the network: before the event loop turns twice. The
 * result depends only on the order of events, not on how busy the machine is.
 */
export async function endsAtOnce(work: Promise<unknown>, action: () => void): Promise<boolean> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  void work.then(over, over);
  action();
  await nextTurn();
  await nextTurn();
  return isOver;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
