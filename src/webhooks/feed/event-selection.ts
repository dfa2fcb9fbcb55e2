import { eventCategories } from "../../contract/closed-sets.ts";
import type { Scope } from "../../contract/scopes.ts";
import type { EventCategory } from "../../core/events/event.ts";
import { eventNames, webhookEvents } from "../events.ts";

/** The scope that gives access to a category's events. The feed itself needs no other scope (contract F4). */
export const scopeOfCategory: Readonly<Record<EventCategory, Scope>> = {
  delivery: "deliverable:read",
  scope: "project:read",
  change: "project:read",
  money: "invoice:read",
};

export const feedScopes: readonly Scope[] = [...new Set(Object.values(scopeOfCategory))];

/** All events in one category, or only those with the given names. */
export interface EventSelection {
  category: EventCategory;
  names: readonly string[] | "all";
}

const isCategory = (text: string): text is EventCategory =>
  (eventCategories as readonly string[]).includes(text);
const categoryOf = (text: string): EventCategory | undefined => {
  if (isCategory(text)) return text;
  const name = eventNames.find((each) => each === text);
  return name && webhookEvents[name].category;
};

/** Parses a comma-separated list of event names and categories; null if it contains anything else. */
export function selectionOf(types: string): EventSelection[] | null {
  const names = types.split(",").map((type) => type.trim());
  if (names.some((type) => categoryOf(type) === undefined)) return null;
  return eventCategories.flatMap((category) => {
    const ofCategory = new Set(names.filter((type) => categoryOf(type) === category));
    if (ofCategory.size === 0) return [];
    return [{ category, names: ofCategory.has(category) ? "all" : [...ofCategory] }];
  });
}

/** Returns the events that a token with these scopes can see. */
export const visibleTo = (scopes: readonly string[]): EventSelection[] =>
  eventCategories
    .filter((category) => scopes.includes(scopeOfCategory[category]))
    .map((category) => ({ category, names: "all" }));

/**
 * Returns the scopes needed to read a comma-separated list of event names and categories. Unknown names are ignored.
 */
export const scopesNeededBy = (types: unknown): Scope[] =>
  typeof types !== "string"
    ? []
    : types.split(",").flatMap((type) => {
        const category = categoryOf(type.trim());
        return category ? [scopeOfCategory[category]] : [];
      });
