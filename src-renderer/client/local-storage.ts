/** The browser's storage; reading the property alone throws where a person switched it off. */
export function localStorageOf(window: Window): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
