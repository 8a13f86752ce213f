/** The usual gateway: express and http-proxy-middleware in front of TARGET. */
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'

const app = express()
app.use(createProxyMiddleware({ target: process.env['TARGET'] ?? '' }))
app.listen(Number(process.env['PORT']), '127.0.0.1')
