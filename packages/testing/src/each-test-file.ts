// Run ahead of every test file, by each worker: what it imports is loaded once.
import './byte-equality.ts'
