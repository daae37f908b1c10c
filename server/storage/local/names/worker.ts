import { workerData } from 'node:worker_threads'
import { serveNames } from '../../names/serve.ts'
import { Crawl } from './crawl.ts'
import { lookInto } from './look-texts.ts'
import type { FolderSetup } from './setup.ts'
import { TextCrawl } from './text-crawl.ts'

// The thread that keeps an index of the names in a folder.
serveNames(workerData as FolderSetup, setup => ({
  crawl: (names, hear) => new Crawl(names, setup, hear),
  texts: {
    crawl: names => new TextCrawl(names, setup),
    look: (files, wanted) => lookInto(setup, files, wanted),
  },
}))
