// For `--import`, which the program's worker threads load, too: a program that npm started ends when npm is gone.
import { isMainThread } from 'node:worker_threads'
import { endWithNpm } from './run.mjs'

if (isMainThread) endWithNpm()
