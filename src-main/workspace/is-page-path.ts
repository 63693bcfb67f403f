/** Folders that hold no pages; every other name is like any other. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** Whether a path within the workspace can be a page: Markdown, outside hidden folders. */
export function isPagePath(path: string): boolean {
  return (
    path.endsWith('.md') && path.split('/').every((part) => part !== '' && !isHiddenName(part) && !/[\\\0]/.test(part))
  );
}
