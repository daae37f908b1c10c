import * as z from 'zod/mini'
import { MAX_QUERY_LENGTH } from '../search-limits.ts'

/** Maximum characters of the name of a saved search. */
export const MAX_SEARCH_NAME = 64

/** What a search looks for, and where. */
const Search = {
  /** As typed. */
  query: z.string().check(z.minLength(1), z.maxLength(MAX_QUERY_LENGTH)),
  /** The folder in which it began, absolute in the caller's scope. */
  folder: z._default(z.string(), '/'),
  /** Beyond that folder. */
  everywhere: z._default(z.boolean(), false),
  /** In contents instead of names. */
  inContents: z._default(z.boolean(), false),
}

export const SavedSearch = z.object({ id: z.string(), name: z.string(), ...Search })
export type SavedSearch = z.infer<typeof SavedSearch>

/** Response of `GET /api/searches`: the oldest first. */
export const SavedSearchList = z.object({ items: z.array(SavedSearch) })
export type SavedSearchList = z.infer<typeof SavedSearchList>

/** One line, without blanks around it. */
const SearchName = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_SEARCH_NAME), z.regex(/^\P{Cc}+$/u))

/** Body of `POST /api/searches`. */
export const NewSearch = z.object({ name: SearchName, ...Search })
export type NewSearch = z.infer<typeof NewSearch>

/** Body of `PATCH /api/searches/{id}`. */
export const SearchChange = z.object({ name: SearchName })
export type SearchChange = z.infer<typeof SearchChange>
