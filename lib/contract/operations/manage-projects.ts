import * as examples from '../examples/projects';
import {
  organizationPolicySchema,
  simulationRequestSchema,
  simulationSchema,
  updatePolicyRequestSchema,
} from '../policies';
import { createProjectRequestSchema, projectListSchema, projectSchema, updateProjectRequestSchema } from '../projects';
import { empty, json, modeParam, operation, requestBody, type Operation } from './operation';

const tag = 'Manage projects';
const projectParam = 'The id of the project.';

export const projectOperations: readonly Operation[] = [
  operation('GET /console/api/projects', 'listProjects', {
    tag,
    summary: 'List the projects',
    query: modeParam,
    answers: { 200: json('The projects.', projectListSchema, { object: 'list', data: [examples.projectExample] }) },
  }),
  operation('POST /console/api/projects', 'createProject', {
    tag,
    summary: 'Create a project',
    query: modeParam,
    request: requestBody(createProjectRequestSchema, examples.projectRequests),
    answers: { 201: json('The project.', projectSchema, examples.projectExample) },
    errors: ['project_name_taken'],
  }),
  operation('GET /console/api/projects/:id', 'readProject', {
    tag,
    summary: 'Read a project',
    params: { id: projectParam },
    query: modeParam,
    answers: { 200: json('The project.', projectSchema, examples.projectExample) },
    errors: ['project_not_found'],
  }),
  operation('PATCH /console/api/projects/:id', 'updateProject', {
    tag,
    summary: 'Change a project',
    description: 'An absent field stays as it is; null removes a restriction. It takes effect within 5 seconds.',
    params: { id: projectParam },
    query: modeParam,
    request: requestBody(updateProjectRequestSchema, { budget: { limit: { amount: '200', period: 'monthly' } } }),
    answers: { 200: json('The project.', projectSchema, examples.projectExample) },
    errors: ['project_not_found', 'project_name_taken'],
  }),
  operation('DELETE /console/api/projects/:id', 'removeProject', {
    tag,
    summary: 'Delete a project without keys',
    params: { id: projectParam },
    answers: empty('The project is deleted.'),
    errors: ['project_not_found', 'project_not_empty'],
  }),
  operation('GET /console/api/policies/organization', 'readPolicy', {
    tag,
    summary: 'Read the policy of the organisation',
    answers: { 200: json('The policy.', organizationPolicySchema, examples.policyExample) },
  }),
  operation('PATCH /console/api/policies/organization', 'updatePolicy', {
    tag,
    summary: 'Change the policy of the organisation',
    description: 'An absent field stays as it is; null removes a restriction. It takes effect within 5 seconds.',
    request: requestBody(updatePolicyRequestSchema, { ceiling: { max_price_per_request: '2.50' } }),
    answers: { 200: json('The policy.', organizationPolicySchema, examples.policyExample) },
  }),
  operation('POST /console/api/policies/simulate', 'simulatePolicy', {
    tag,
    summary: 'Find out which rule allows or refuses a request',
    description: 'It changes nothing and calls no provider.',
    request: requestBody(simulationRequestSchema, examples.simulationRequests),
    answers: { 200: json('The decision.', simulationSchema, examples.simulationExample) },
    errors: ['key_not_found'],
  }),
];
