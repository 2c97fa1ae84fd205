"""RNN, GRU and LSTM and their cells."""

import torch
from recording import HALF, Family
from torch import nn

case = Family("recurrent")


def alone(m, x):
    return m.it(x)


def with_state(m, x, h):
    return m.it(x, h)


def with_states(m, x, h, c):
    return m.it(x, (h, c))


def by_keyword(m, x, h, c):
    out, state = m.it(input=x, hx=(h, c))
    return out, state[0], state[1]


def output_only(m, x):
    out, _ = m.it(x)
    return out


def fed(m, x):
    out, state = m.first(x)
    again, _ = m.second(x, state)
    return out + again


def decoded(m, x, h, c):
    outs = []
    for _ in range(3):
        h, c = m.it(x, (h, c))
        x = m.back(h)
        outs.append(x)
    return torch.stack(outs, 1)


def layers(kind, **settings):
    return {"modules": lambda: {"it": kind(3, 4, **settings)}}


def relu_rnn(*sizes, **settings):
    return nn.RNN(*sizes, nonlinearity="relu", **settings)


for name, kind in (("rnn", nn.RNN), ("rnn_relu", relu_rnn), ("gru", nn.GRU), ("lstm", nn.LSTM)):
    call, states = (with_states, 2) if kind is nn.LSTM else (with_state, 1)
    case(f"{name}_zero_state", alone, "5,2,3", **layers(kind))
    case(f"{name}_no_bias", output_only, "2,5,3", **layers(kind, bias=False, batch_first=True))
    case(f"{name}_deep", call, "2,4,3", *["4,2,4"] * states,
         **layers(kind, num_layers=2, bidirectional=True, batch_first=True, dropout=0.5))
    case(f"{name}_unbatched", call, "4,3", *["2,4"] * states,
         **layers(kind, num_layers=2, batch_first=True))
    case(f"{name}_symbolic_batch", call, "3,n,3", *["1,n,4"] * states, sizes={"n": (2, 5)},
         **layers(kind))
    case(f"{name}_half", alone, "f16 3,2,3", tol=HALF,
         modules=lambda kind=kind: {"it": kind(3, 4).half()})
case("gru_symbolic_zero_state", alone, "4,n,3", sizes={"n": (1, 3)},
     **layers(nn.GRU, num_layers=2, bidirectional=True))
case("rnn_many_steps", output_only, "40,1,3", **layers(nn.RNN, bidirectional=True))
case("lstm_one_step", alone, "1,1,3", **layers(nn.LSTM))
case("lstm_empty_batch", alone, "3,0,3", **layers(nn.LSTM))
case("lstm_projected", with_states, "4,2,3", "4,2,2", "4,2,4",
     **layers(nn.LSTM, num_layers=2, bidirectional=True, proj_size=2))
case("lstm_projected_unbatched", alone, "4,3", **layers(nn.LSTM, proj_size=2, bias=False))
case("lstm_keywords", by_keyword, "4,2,3", "1,2,4", "1,2,4", **layers(nn.LSTM))
case("lstm_state_handed_on", fed, "4,2,3",
     modules=lambda: {"first": nn.LSTM(3, 4), "second": nn.LSTM(3, 4)})
case("lstm_cell_decoder", decoded, "2,3", "2,4", "2,4",
     modules=lambda: {"it": nn.LSTMCell(3, 4), "back": nn.Linear(4, 3)})


def relu_cell(*sizes, **settings):
    return nn.RNNCell(*sizes, nonlinearity="relu", **settings)


for name, kind in (("rnn_cell", nn.RNNCell), ("rnn_relu_cell", relu_cell),
                   ("gru_cell", nn.GRUCell), ("lstm_cell", nn.LSTMCell)):
    call, states = (with_states, 2) if kind is nn.LSTMCell else (with_state, 1)
    case(name, call, "2,3", *["2,4"] * states, **layers(kind))
    case(f"{name}_unbatched", call, "3", *["4"] * states, **layers(kind))
    case(f"{name}_zero_state", alone, "n,3", sizes={"n": (2, 3)}, **layers(kind, bias=False))
