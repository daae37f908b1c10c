import type { NamesSetup } from '../../names/messages.ts'
import type { S3Address, S3Credentials } from '../address.ts'

/** Start-up data of the thread that indexes a bucket. */
export interface BucketSetup extends NamesSetup {
  address: S3Address
  credentials: S3Credentials
}
