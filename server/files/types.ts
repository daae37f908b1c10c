/** What `Files` tells of stored things, for those who may not import a storage driver. */
export type { ByteRange, Entry, OpenFile, SweepOptions, Usage } from '../storage/driver.ts'
