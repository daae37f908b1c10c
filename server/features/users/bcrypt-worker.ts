import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

export interface BcryptAsk {
  password: string
  hash: string
}

const { password, hash }: BcryptAsk = workerData
parentPort?.postMessage(compareSync(password, hash))
