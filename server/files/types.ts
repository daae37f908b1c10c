/** What `Files` tells of stored things, for those who may not import a storage driver. */
export type {
  ByteRange,
  ContentCheck,
  Entry,
  OpenFile,
  ReaderTogether,
  ReadFile,
  ReadOrder,
  SweepOptions,
  Usage,
} from '../storage/driver.ts'
export type { Workplace } from './workplace.ts'
