/** Table of saved searches; see `Schema`. */
export interface SavedSearchTables {
  saved_searches: SavedSearchesTable
}

export interface SavedSearchesTable {
  /** 64 random bits in hexadecimal. */
  id: string
  user_id: number
  name: string
  query: string
  /** Where the search began, in the user's scope; a stored path. */
  folder: string
  /** 0 or 1, as the next one. */
  everywhere: number
  in_contents: number
  created_at: number
}
