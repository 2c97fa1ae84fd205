// Places the graph's nodes in layers.

import dagre from '@dagrejs/dagre';
import type { Laid, LayoutRequest } from './messages';
import { serve } from './serve';

function layout({ nodes, edges }: LayoutRequest): Laid {
  const graph = new dagre.graphlib.Graph();
  // The ranker matters: longest-path takes minutes on two thousand nodes.
  graph.setGraph({ rankdir: 'TB', ranker: 'tight-tree', nodesep: 18, ranksep: 26, marginx: 8,
    marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { from, to } of edges) graph.setEdge(from, to);
  dagre.layout(graph);
  const size = graph.graph();
  return {
    width: size.width ?? 0,
    height: size.height ?? 0,
    nodes: Object.fromEntries(
      nodes.map(({ id }) => {
        const { x, y } = graph.node(id);
        return [id, { x: x ?? 0, y: y ?? 0 }];
      }),
    ),
    edges: edges.map(({ from, to }) => ({ from, to, points: graph.edge(from, to).points ?? [] })),
  };
}

serve<LayoutRequest>(async (request) => layout(request));
