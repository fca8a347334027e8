import { z } from 'zod';
import { alertListSchema, alertSchema, createAlertRequestSchema, updateAlertRequestSchema } from '../alerts';
import { creditsSchema, transferPageSchema } from '../credits';
import { transferPageExample } from '../examples/operator';
import { creditsExample } from '../examples/service';
import * as examples from '../examples/usage';
import {
  ledgerKinds,
  ledgerPageSchema,
  performanceSchema,
  statementSchema,
  usageDimensions,
  usageIntervals,
  usageKinds,
  usageSchema,
} from '../usage';
import {
  csvParam,
  empty,
  json,
  keyParam,
  modeOfNamedParam,
  modeParam,
  operation,
  pageParams,
  report,
  requestBody,
  timeRangeParams,
  type Operation,
} from './operation';

const tag = 'Manage usage';
const alertParam = 'The id of the alert.';

const usageParams = {
  ...modeParam,
  from: z.iso.date().describe('The first day of UTC. By default 29 days before the last one.'),
  to: z.iso.date().describe('The last day of UTC, which is included. By default today.'),
  by: z.enum(usageDimensions).default('model').describe('What the sums are broken down by.'),
  interval: z.enum(usageIntervals).default('day').describe('The length of the periods.'),
  model: z.string().describe('Only work of this model.'),
  provider: z.string().describe('Only work that this provider served.'),
  ...keyParam,
  project: z.string().describe('Only work of the keys of this project.'),
  kind: z.enum(usageKinds).describe('Only this kind of work.'),
  ...csvParam,
};

export const usageOperations: readonly Operation[] = [
  operation('GET /console/api/usage', 'readUsage', {
    tag,
    summary: 'Read the usage',
    query: usageParams,
    answers: { 200: report('The sums.', usageSchema, examples.usageExample) },
  }),
  operation('GET /console/api/usage/performance', 'readPerformance', {
    tag,
    summary: 'Read the error rates and times of models',
    query: usageParams,
    answers: { 200: report('The models.', performanceSchema, examples.performanceExample) },
  }),
  operation('GET /console/api/ledger', 'listLedger', {
    tag,
    summary: 'List the ledger',
    query: {
      ...modeOfNamedParam,
      kind: z.enum(ledgerKinds).describe('Only entries of this kind.'),
      ...keyParam,
      ...timeRangeParams,
      subject: z.string().describe('The id of a video, message, audio session, hold or transfer.'),
      open: z.enum(['true', 'false']).default('false').describe('`true`: only what is held now.'),
      limit: pageParams(50)['limit']!,
      after: z.string().describe('The `next` of the page before.'),
      ...csvParam,
    },
    answers: { 200: report('A page, newest first.', ledgerPageSchema, examples.ledgerPageExample) },
  }),
  operation('GET /console/api/statements/:month', 'readStatement', {
    tag,
    summary: 'Read the statement of a month',
    params: { month: 'A month of UTC, such as `2026-11`.' },
    query: { ...modeParam, ...csvParam },
    answers: { 200: report('The statement.', statementSchema, examples.statementExample) },
  }),
  operation('GET /console/api/credits', 'readConsoleCredits', {
    tag,
    summary: 'Read the credits of the organisation',
    query: modeParam,
    answers: { 200: json('The credits.', creditsSchema, creditsExample) },
  }),
  operation('GET /console/api/credits/transfers', 'listCreditTransfers', {
    tag,
    summary: 'List grants, adjustments and refunds of the organisation',
    query: { ...modeParam, ...pageParams(50) },
    answers: { 200: json('A page, newest first.', transferPageSchema, transferPageExample) },
  }),
  operation('POST /console/api/credits/refill', 'refillTestCredits', {
    tag,
    summary: 'Refill the test credits',
    answers: { 200: json('The test credits.', creditsSchema, creditsExample) },
  }),
  operation('GET /console/api/alerts', 'listAlerts', {
    tag,
    summary: 'List alerts',
    query: modeParam,
    answers: {
      200: json('The alerts.', alertListSchema, { object: 'list', data: [examples.alertExample], mail: true }),
    },
  }),
  operation('POST /console/api/alerts', 'createAlert', {
    tag,
    summary: 'Add an alert',
    query: modeParam,
    request: requestBody(createAlertRequestSchema, { balance: { kind: 'low_balance', amount: '5.00' } }),
    answers: { 201: json('The alert.', alertSchema, examples.alertExample) },
  }),
  operation('PATCH /console/api/alerts/:id', 'updateAlert', {
    tag,
    summary: 'Change an alert',
    params: { id: alertParam },
    request: requestBody(updateAlertRequestSchema, { amount: { amount: '10.00' } }),
    answers: { 200: json('The alert.', alertSchema, { ...examples.alertExample, amount: '10' }) },
    errors: ['alert_not_found'],
  }),
  operation('DELETE /console/api/alerts/:id', 'removeAlert', {
    tag,
    summary: 'Remove an alert',
    params: { id: alertParam },
    answers: empty('The alert is removed.'),
    errors: ['alert_not_found'],
  }),
];
