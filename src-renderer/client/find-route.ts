import type { RouteName } from '../../src-shared/protocol/api.ts';
import type { RouteDefinition } from '../../src-shared/protocol/route.ts';
import { routes } from '../../src-shared/protocol/routes.ts';

const byName: ReadonlyMap<string, RouteDefinition> = new Map(routes.map((route) => [route.name, route]));

export function findRoute(name: RouteName): RouteDefinition {
  const route = byName.get(name);
  if (route === undefined) throw new TypeError(`No route is named ${JSON.stringify(name)}`);
  return route;
}
