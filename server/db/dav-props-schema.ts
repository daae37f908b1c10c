/** See `Schema`. */
export interface DavPropTables {
  dav_props: DavPropsTable
}

/** Properties of files and folders that programs set over WebDAV. */
export interface DavPropsTable {
  id: string
  /** In the served root, symbolic links resolved. */
  place: string
  /** The folder that holds it. */
  parent: string
  /** Of the file or folder that has it; what took its place has none. */
  identity: string
  namespace: string
  name: string
  /** The element, as XML. */
  value: string
  set_at: number
}
