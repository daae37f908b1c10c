// Makes this Node one that bin/filigree takes for too old, so that it starts the project's own.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })
process.execve = undefined
