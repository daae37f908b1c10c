/** The types of stored entries, for modules that may not import a storage driver. */
export type {
  BatchReader,
  ByteRange,
  CachedFile,
  CacheStore,
  Cleanup,
  ContentCheck,
  Entry,
  OpenFile,
  Passing,
  ReadFile,
  ReadRequest,
  StorageDriver,
  Usage,
} from '../storage/driver.ts'
export type { SandboxFolder } from './sandbox-scope.ts'
