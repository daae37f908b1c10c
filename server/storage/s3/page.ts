/** What a listing reports for one object. */
export interface ListedObject {
  key: string
  size: number
  etag: string
  /** As the store writes it. */
  changed: string
}

export interface ListPage {
  objects: ListedObject[]
  /** Key prefixes up to the delimiter. */
  folders: string[]
  /** Continuation token. */
  next: string | undefined
}

export interface PageOptions {
  delimited?: boolean
  /** Maximum number of objects and folders. */
  most?: number
  /** Continuation token of the page before. */
  next?: string | undefined
}
