/** Calls `job` soon, and at most once per `ms`; calls meanwhile are folded into one that follows. */
export function throttle(job: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const fire = () => {
    job();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) {
        again = false;
        fire();
      }
    }, ms);
  };
  return () => {
    if (timer !== undefined) again = true;
    else fire();
  };
}
